try() {
    heddle report "$@"
    echo "status $?"
}
echo '{"heddle": "0.1.0"}' >none.json
echo '[1, 2' >cut.json
try
try nowhere.json
try none.json
try cut.json
try --dot=- none.json
try - </dev/null
