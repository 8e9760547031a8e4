# One variable, one thread, one location; names that are not there.
cp $ROOT/examples/bank/bank.std .
for words in --variable=bob --variable=alice --thread=auditor --location=bank.c:24 \
    "--thread=auditor --variable=alice"; do
    heddle nondet --json $words bank.std
done | jq -ce '[.result.reads, .result.final_reads, [.findings[].read]]'
for words in --variable=carol --thread=nobody --location=bank.c:1; do
    heddle nondet $words bank.std
    echo "status $?"
done
