heddle race --help
heddle race -h | cmp - <(heddle race --help)
heddle help race | cmp - <(heddle race --help)
