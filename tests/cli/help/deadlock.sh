heddle deadlock --help
heddle deadlock -h | cmp - <(heddle deadlock --help)
heddle help deadlock | cmp - <(heddle deadlock --help)
