heddle convert --help
heddle convert -h | cmp - <(heddle convert --help)
heddle help convert | cmp - <(heddle convert --help)
