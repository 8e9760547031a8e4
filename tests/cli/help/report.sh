heddle report --help
heddle report -h | cmp - <(heddle report --help)
heddle help report | cmp - <(heddle report --help)
