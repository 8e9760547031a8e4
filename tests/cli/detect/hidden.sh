# A predicate that is wrong is shown so that a terminal takes it as text, and only the part around
# the place if it is long.
printf 'T0|w(x=1)|\n' >a.std
heddle detect a.std $'x == 1 && \e[31m\x01 y'
echo $?
heddle detect a.std $'"\e[31m\xe2\x80\xae" = 1'
heddle detect a.std "x == 1 $(printf '&& x == 1 %.0s' $(seq 1000)) = 3 $(printf '|| x == 2 %.0s' $(seq 1000))"
