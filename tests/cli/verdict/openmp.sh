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
