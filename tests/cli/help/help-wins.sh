# --help answers whatever else is there, if it comes first.
heddle info --help no such words | head -1
heddle info --help --nonsense | head -1
