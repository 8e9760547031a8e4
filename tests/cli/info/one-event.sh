printf 't|mark(m)|\n' | heddle info -
