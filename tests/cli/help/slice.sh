heddle slice --help
heddle slice -h | cmp - <(heddle slice --help)
heddle help slice | cmp - <(heddle slice --help)
