heddle convert trace.std
