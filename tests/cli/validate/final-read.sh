# A variable that ends with another write.
printf 'm|w(x=1)|\na|r(x=1)|\nb|w(x=2)|\n' >t.std
check() {
    { printf '# heddle witness 1\n# claim: %s\n' "$1"; shift; printf '%s\n' "$@"; } >w.std
    heddle validate t.std w.std
    echo "status $?"
}
claim='final read of x sees 1, writer 3, challenger 1, order wcr'
check "$claim" 'b|w(x=2)|' 'm|w(x=1)|' 'a|r(x=1)|'
check "$claim" 'm|w(x=1)|' 'b|w(x=2)|' 'a|r(x=1)|'
check "$claim" 'm|w(x=1)|' 'a|r(x=1)|' 'b|w(x=2)|'
check "$claim" 'b|w(x=2)|' 'm|w(x=1)|'
check 'final read of x sees 1, writer 2, challenger 1, order wcr' 'b|w(x=2)|'
check 'final read of x sees 3, writer 1, challenger 3, order wcr' 'm|w(x=1)|' 'a|r(x=1)|' \
    'b|w(x=2)|'
