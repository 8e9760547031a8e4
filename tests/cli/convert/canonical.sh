# What can be written in several ways is written in one.
printf '# a comment\r\n\r\nT1|w08(x=-0)\r\nT1|req(l)|9\nT1|acq(l)|7\nT1|mark(m=007)' |
    heddle convert - -
