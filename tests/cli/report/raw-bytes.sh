# What an answer says of its command and of its places is printable in the report, whatever it is.
cat >a.json <<'END'
{"heddle":"0.2.0","command":"\u001b]0;title\u0007race\nfake\u202e","input":{"file":"x"},
 "complete":true,"seconds":0,
 "verdict":{"asked":"a","found":true,"complete":true,"why_not":[],"rests_on":[]},
 "result":{"parts":[{"command":"\u001b[31mrow\n","inputs":1,"complete":1,"found":1}]},
 "findings":[{"rule":"race","variable":"v","places":[
  {"role":"\u001b[2J\nfirst","file":"a.c","line":1,"thread":"T1","text":"writes v"},
  {"role":"se\u202econd\u0007","file":"a.c","line":2,"thread":"T2","text":"reads v"}]}]}
END
heddle report a.json >text || true
cat text
LC_ALL=C tr -d '\n\040-\176' <text | wc -c
heddle report --junit=j.xml --dot=d.dot a.json >text || true
LC_ALL=C tr -d '\n\040-\176' <j.xml | wc -c
LC_ALL=C tr -d '\n\040-\176' <d.dot | wc -c
