# What the server refuses, over real sockets: other hosts, large requests, slow clients, too many.
export TMPDIR=$PWD
exec 3< <(exec heddle view --serve "$TESTDIR/hidden.std")
read -r address <&3
server=$!
cat >ask.py <<'PYTHON'
import socket, sys, time, urllib.parse

url = urllib.parse.urlsplit(sys.argv[1])


def connect():
    made = socket.create_connection((url.hostname, url.port))
    made.settimeout(30)
    return made


def answer(made):
    data = b""
    try:
        while part := made.recv(65536):
            data += part
    except ConnectionResetError:
        pass
    return data.split(b"\r\n")[0].decode() if data else "nothing"


def ask(*lines, path=url.path, method="GET", more=b""):
    made = connect()
    made.sendall("\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode() + more)
    return answer(made)


print("localhost:", ask("Host: localhost"))
print("its number:", ask(f"Host: 127.0.0.1:{url.port}"))
print("a tunnel:", ask("host:  LOCALHOST:9999"))
print("another name:", ask("Host: evil.example"))
print("a longer name:", ask("Host: localhost.evil.example"))
print("not a port:", ask("Host: localhost:80.evil.example"))
print("no name:", ask())
print("two names:", ask("Host: localhost", "Host: evil.example"))
print("a long line:", ask("Host: localhost", "X: " + "x" * 100000))
print("a long path:", ask("Host: localhost", path="/" + "x" * 100000))
print("a body:", ask("Host: localhost", "Content-Length: 1000000", more=b"x" * 1000000))
print("an empty body:", ask("Host: localhost", "Content-Length: 0"))
print("a body in parts:", ask("Host: localhost", "Transfer-Encoding: chunked"))
print("to write:", ask("Host: localhost", method="POST"))
print("to delete:", ask("Host: localhost", method="DELETE"))
print("a zero:", ask("Host: localhost\0"))

slow, begun = connect(), time.monotonic()
for byte in f"GET {url.path} HTTP/1.1\r\n":
    try:
        slow.send(byte.encode())
    except (BrokenPipeError, ConnectionResetError):
        break
    time.sleep(0.4)
    if time.monotonic() - begun > 14:
        break
print("a slow client:", answer(slow), "within 30 s" if time.monotonic() - begun < 30 else "late")

silent = [connect() for _ in range(64)]
time.sleep(1)
print("one too many:", ask("Host: localhost"))
for made in silent:
    made.close()
time.sleep(2)
print("after that:", ask("Host: localhost"))
PYTHON
python3 ask.py "$address"
rm ask.py
kill "$server"
