# The usage and the options of explore; the algorithms are another test's.
heddle explore --help | sed '/^Algorithms/,$d'
