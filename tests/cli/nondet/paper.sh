# The columns of the published table.
heddle generate like liveness -o t.htr
heddle nondet --paper --summary t.htr | sed '/variable/,$d'
heddle nondet --paper --summary --json t.htr | jq -ce '[.result.witnesses, .result.choice_graphs]'
