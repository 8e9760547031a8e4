heddle info --help
heddle info -h | cmp - <(heddle info --help)
heddle help info | cmp - <(heddle info --help)
