heddle info --recover trace.std
