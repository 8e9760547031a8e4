heddle view --help
heddle view -h | cmp - <(heddle view --help)
heddle help view | cmp - <(heddle view --help)
