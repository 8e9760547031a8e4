heddle nondet --help
heddle nondet -h | cmp - <(heddle nondet --help)
heddle help nondet | cmp - <(heddle nondet --help)
