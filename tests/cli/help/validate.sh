heddle validate --help
heddle validate -h | cmp - <(heddle validate --help)
heddle help validate | cmp - <(heddle validate --help)
