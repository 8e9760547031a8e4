# The last execution is left out: what was covered is nearly all, in plain figures.
cat >long.hdm <<END
shared x;
thread t[2] { x = 1; x = 2; x = 3; x = 4; x = 5; x = 6; x = 7; x = 8; }
END
heddle explore long.hdm | grep -e executions
heddle explore --executions=12869 long.hdm | grep -e ' search  '
