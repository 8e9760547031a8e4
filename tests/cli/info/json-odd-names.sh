# Any bytes are names; JSON has U+FFFD for those that are not UTF-8.
printf 'a"b\\|w(\xff\x01\xc3\xa9)|\n' >a.std
heddle info --json a.std >a.json
jq -ce '(.result.events_by_thread[0].thread == "a\"b\\"),
    (.result.hottest_variables[0].name == "\ufffd\u0001\u00e9")' a.json
