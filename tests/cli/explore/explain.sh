# The static checks come first, then the search.
printf 'shared x, a[2];\nthread t { local v; v = x; a[v] = 1; if (v) skip; }\n' >m.hdm
heddle explore --explain m.hdm | sed '/no schedule/q'
heddle explore --explain --json m.hdm | jq '.result.explanation | length > 10'
