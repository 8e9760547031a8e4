# A narrow terminal.
cp "$ROOT/examples/models/philosophers.hdm" .
COLUMNS=36 heddle check philosophers.hdm | sed 's/([0-9.]* s)/(TIME)/'
