heddle generate product 2 2
