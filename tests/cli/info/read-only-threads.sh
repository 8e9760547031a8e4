# A thread that is named but never acts counts as a thread.
printf 'm|fork(a)|\nm|join(b)|\n' >a.std
heddle info a.std
