# A read that sees another write, in the three orders.
printf 'm|w(x=1)|\na|r(x=1)|\nb|w(x=2)|\n' >t.std
check() {
    { printf '# heddle witness 1\n# claim: %s\n' "$1"; shift; printf '%s\n' "$@"; } >w.std
    heddle validate t.std w.std
    echo "status $?"
}
check 'read 2 sees 3, writer 1, challenger 3, order wcr' 'm|w(x=1)|' 'b|w(x=2)|'
check 'read 2 sees 3, writer 1, challenger 3, order cr' 'b|w(x=2)|'
check 'read 2 sees 3, writer 1, challenger 3, order crw' 'b|w(x=2)|'
check 'read 2 sees 0, writer 1, challenger 0, order cr'
check 'read 2 sees 3, writer 1, challenger 3, order wcr' 'b|w(x=2)|' 'm|w(x=1)|'
check 'read 2 sees 3, writer 1, challenger 3, order cr' 'm|w(x=1)|' 'b|w(x=2)|'
check 'read 2 sees 3, writer 1, challenger 3, order wcr' 'm|w(x=1)|'
check 'read 2 sees 3, writer 1, challenger 3, order wcr' 'm|w(x=1)|' 'a|r(x=1)|' 'b|w(x=2)|'
check 'read 2 sees 0, writer 3, challenger 0, order cr'
