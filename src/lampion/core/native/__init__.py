"""From rules in Python to machine code, by way of one readable file of C for each game.

    program.py       which functions a set of doors needs, one by one; the finished file
    kinds.py         what a value is: an int, a float, an array, a record
    scope.py         the source of a function, and where its variables live
    flow.py          which variables have a value where, and whether a function ends without a result
    names.py         what C calls the names of a rule
    arithmetic.py    numbers and operators
    expressions.py   the expressions that are known
    indexing.py      indices, slices and fields
    calls.py         rules, verbs, and the few functions of Python, NumPy and `math` that are known
    assignments.py   what changes something; local arrays
    statements.py    the statements that are known
    doors.py         the functions that Python calls
    prelude.h        division, minimum and maximum; the checks of a checked build
    python.h         the few lines of Python's stable interface that doors need
    compilers.py     C compilers, and what they are told
    targets.py       the kinds of machine that modules are made for
    variants.py      the variants of a compiled module, and which this processor can run
    library.py       where compiled modules are, and how they are loaded
    build.py         how they are made

Whatever is not known is refused, with file, line and what to write instead: a translator that
guesses plays a different game one day. What numbers mean is told in docs/compile.md.
"""
