heddle
