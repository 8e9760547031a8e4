heddle help nonsense
