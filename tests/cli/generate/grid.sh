heddle generate grid 3 2
