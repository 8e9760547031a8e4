try() {
    heddle check "$@"
    echo "status $?"
}
echo 'int main(void) { return 0 }' >broken.c
printf 'a|nonsense(x)|\n' >broken.std
printf 'a|w(x)|\n' >good.std
printf '{"findings": [{}]}' >baseline.json
printf '{"findings": [' >cut.json
try
try none
try broken.c 2>&1 | sed 's/compile:.*; /compile: REASON; /'
try broken.std
try good.std argument
try --time=never good.std
try --ask=race,nonsense good.std
try --color=red good.std
try --sarif=- good.std
try --update-baseline good.std
try --baseline=none good.std
try --baseline=baseline.json good.std
try --baseline=cut.json good.std
try -o good.std good.std
try -o broken.std good.std
try --sarif=none/out.sarif good.std | sed "s/([0-9.]* s)/(TIME)/"
try --detect='x ==' good.std
try --detect='x == 1' "$ROOT/examples/models/peterson.hdm"
cp "$(type -P true)" plain
try ./plain 2>&1 | sed 's,plain: .*,plain: REASON,'
ls
