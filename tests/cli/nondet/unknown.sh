# A limit that stops the solver is said, and status 3 where nothing was found.
heddle generate like ThriftTrace3 -o t.htr
heddle nondet --effort=0 --summary --json t.htr | jq -ce '[.complete, .result.unknown]'
