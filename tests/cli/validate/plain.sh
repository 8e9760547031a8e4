# A trace is a witness of itself, and of nothing more than a reordering.
printf 'a|w(x)|1\nb|r(x)|2\n' >t.std
heddle convert t.std t.htr
heddle validate t.std t.std
heddle validate t.htr t.htr
heddle validate t.std - <t.htr
printf 'b|r(x)|2\na|w(x)|1\n' >w.std
heddle validate t.std w.std
