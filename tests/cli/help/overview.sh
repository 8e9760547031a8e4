heddle --help
heddle -h | cmp - <(heddle --help)
heddle help | cmp - <(heddle --help)
