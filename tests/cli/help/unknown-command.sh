heddle nonsense
