# xdg-open gets the page; without a browser heddle says where the page is.
mkdir bin temporary
printf '#!/bin/sh\nhead -c 15 "$1"; echo; echo "${1##*/}" | sed "s/-[^-]*[.]/-X./"\n' >bin/xdg-open
chmod +x bin/xdg-open
export TMPDIR=$PWD/temporary
PATH=$PWD/bin:$PATH heddle view "$TESTDIR/hidden.std" | sed 's/view-[^-]*[.]html/view-X.html/'
printf '#!/bin/sh\nexit 3\n' >bin/xdg-open
PATH=$PWD/bin:$PATH heddle view "$TESTDIR/hidden.std" 2>&1 | sed 's/view-[^-]*[.]html/view-X.html/'
echo "${PIPESTATUS[0]}"
PATH=$(dirname "$(readlink -f "$(command -v heddle)")"):$PWD/none heddle view --html=here.html "$TESTDIR/hidden.std"
# A browser that stays is not waited for when the time is up; nor does a server stay.
printf '#!/bin/sh\nexec sleep 8 >/dev/null 2>&1\n' >bin/xdg-open
PATH=$PWD/bin:$PATH timeout 6 heddle view --total=0.5 "$TESTDIR/hidden.std" 2>&1 | sed 's|page is .*/heddle-view-.*|page is X|'
echo "${PIPESTATUS[0]}"
timeout 6 heddle view --serve --total=0.5 "$TESTDIR/hidden.std" 2>&1 | sed 's/:[0-9].*/:X/'
echo "${PIPESTATUS[0]}"
