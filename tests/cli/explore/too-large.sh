# Threads with more instructions together than a model may have.
# In make test-long only.
{ echo 'shared a; thread t[65536] {'; for i in {1..1000}; do echo 'a = a + id;'; done; echo '}'; } >large.hdm
heddle explore large.hdm
