#!/usr/bin/env python3
"""Ask about several files and print the findings as a table.

    tabulate.py explore examples/models/*.hdm
    tabulate.py race examples/race/*.std
"""
import os
import sys

import heddle


def rows(what, paths):
    for path in paths:
        try:
            answer = heddle.ask(what, path, seconds=60)
        except heddle.Error as error:
            yield os.path.basename(path), "-", "-", str(error)
            continue
        verdict = "complete" if answer.complete else "not complete"
        if not answer.findings:
            yield os.path.basename(path), "-", verdict, ""
        for finding in answer.findings:
            yield os.path.basename(path), finding.rule, verdict, finding.message


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    table = [("file", "rule", "search", "what"), *rows(sys.argv[1], sys.argv[2:])]
    widths = [max(len(row[column]) for row in table) for column in range(3)]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)), row[3],
              sep="  ")


main()
