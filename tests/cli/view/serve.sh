# One address on the loopback interface; nothing else is there, and no file stays behind.
export TMPDIR=$PWD
exec 3< <(exec heddle view --serve "$TESTDIR/hidden.std")
read -r address <&3
server=$!
host=${address#http://}
path=/${host#*/}
port=${host%%/*}
port=${port#*:}
ask() {
    exec 4<>"/dev/tcp/127.0.0.1/$port"
    printf '%s\r\nHost: localhost\r\n\r\n' "$1" >&4
    tr -d '\r' <&4
}
ls
exec 5<>"/dev/tcp/127.0.0.1/$port" # says nothing, as browsers do
ask "GET $path HTTP/1.1" | sed -n '1,2p;4,$p' | head -9 | cut -c 1-60
ask "HEAD $path HTTP/1.1" | wc -l
ask "GET / HTTP/1.1" | sed -n '1p;$p'
ask "POST $path HTTP/1.1" | sed -n '1p;$p'
ask "GET ${path%?} HTTP/1.1" | sed -n 1p
kill "$server"
