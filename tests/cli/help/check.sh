heddle check --help
heddle check -h | cmp - <(heddle check --help)
heddle help check | cmp - <(heddle check --help)
