heddle convert --to=xml a b
