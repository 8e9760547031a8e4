heddle info --quiet=yes trace.std
