printf "a|w(x)|\na|w(x)|\n# heddle: incomplete lost=2\n" >trace.std
heddle validate trace.std
heddle validate -q trace.std
