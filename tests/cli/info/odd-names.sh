# Control characters, and bytes that are no text, do not reach the terminal.
printf 'a\x1b[31m|w(\xff\x07\xc3\xa9)|\n' >a.std
printf 'a\x1b[31m|acq(a very long name that goes on and on and on until nobody could possibly want to read it any more)|\n' >>a.std
heddle info a.std
