# Figures 5 and 6 of Sinha, Malik and Gupta: refuted by the witness order graph, and by all four
# choice graphs.
for figure in 5 6; do
  cp $ROOT/examples/nondet/figure$figure.std .
done
ask() {
  heddle nondet "$@" | head -1
  heddle nondet --paper --json "$@" | grep -o '"witnesses": {[^}]*}, "choice_graphs": {[^}]*}'
}
ask --variable=a --thread=three figure5.std
ask --variable=v --thread=a figure6.std
