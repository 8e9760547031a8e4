heddle replay --help
heddle help replay | cmp - <(heddle replay --help)
