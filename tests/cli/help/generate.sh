heddle generate --help
heddle generate -h | cmp - <(heddle generate --help)
heddle help generate | cmp - <(heddle generate --help)
