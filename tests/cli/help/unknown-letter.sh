heddle info -x trace.std
