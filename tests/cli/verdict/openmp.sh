# OpenMP's threads are not followed: an answer about a region with one thread is not sure.
cat >team.c <<END
int main(void) {
    int x = 0;
#pragma omp parallel num_threads(2)
    x++;
    return x > 2;
}
END
heddle cc -fopenmp -o team team.c
for ask in explore race deadlock nondet; do
    heddle $ask ./team >said
    echo "$ask $?"
    sed -n 's/^ *\(shaky: .*\)/\1/p' said
done
heddle explore --accept=threads:openmp ./team >said
echo "accepted $?"
# Its traces say so too, in both formats and whoever has written them.
heddle record -q -o team.htr ./team 2>/dev/null
heddle convert -q team.htr team.std
heddle convert -q team.std again.htr
grep doubt team.std
for trace in team.htr team.std again.htr; do
    heddle info $trace | sed -n '/^  doubts/s/  */ /gp'
done
heddle info --json again.htr | grep -o '"doubts": [^]]*]'
for ask in race deadlock nondet 'check -o kept' states; do
    heddle $ask again.htr >said
    echo "$ask $?"
    sed -n 's/^ *\(shaky: OpenMP.*\)/\1/p' said
done
heddle race --accept=threads:openmp,unseen-code again.htr >said
echo "accepted $?"
# Of one that this heddle does not know; and what has another form is a comment.
cat >other.std <<END
T1|w(x)|a.c:1
# heddle: doubt weather:rain it rained
# heddle: doubt weather it rained
# heddle: doubt weather: it rained
# heddle: doubt weather:rain
# heddle: doubt :rain it rained
END
heddle convert -q other.std other.htr
heddle race other.htr >said
echo "other $?"
sed -n 's/^ *\(shaky: .*\)/\1/p' said
