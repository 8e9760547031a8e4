# One deadlock, in two traces' worth of places and by two questions; the result as JSON.
cp "$ROOT/examples/race/philosophers.std" .
heddle check --json philosophers.std | jq -c '.findings[] | [.rule, .level, .count, .proof, .found_by, [.places[].text]]'
jq -c '.result | [.errors, .warnings, .notes, .folder]' philosophers.std.heddle/result.json
