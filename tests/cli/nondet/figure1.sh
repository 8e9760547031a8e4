# Race-free, but not deterministic: figure 1 of Sinha, Malik and Gupta.
cp $ROOT/examples/nondet/figure1.std .
heddle nondet figure1.std
echo "status $?"
heddle nondet --paper figure1.std
echo "status $?"
