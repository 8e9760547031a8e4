# With a limit on time, too, what is only counted needs no schedules, which take seconds to make.
heddle generate locks 8 800000 --joins 0 -o t.htr
heddle deadlock --summary --time=10 t.htr >timed
heddle deadlock --summary t.htr >out
cmp out timed && grep -E '^t.htr|search' timed
