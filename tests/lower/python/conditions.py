def f(row, rows, k, x, xs, force, phase, a, b, c):
    if row is None or row == None:
        return 1
    if row is not None and row != None:
        return 2
    if k in rows and k not in xs:
        return 3
    if phase in ("Failed", "Succeeded") or phase not in [Phase.A, None]:
        return 4
    if k in (a.name, b.name) or k in ():
        return 5
    if len(xs) == 0 or len(xs) < 1 or not len(xs) or 0 == len(xs):
        return 6
    if len(xs) > 0 or len(xs) >= 1 or len(xs) != 0 or 0 < len(xs) or len(xs) or bool(xs):
        return 7
    if len(xs) > 3:
        return 8
    if a < b <= c or a > b or a >= b or a <> b:
        return 9
    if xs == [] or x is True or x == "" or {} != k:
        return 10
    if not (a and b or c) and (x if force else row):
        return 11
    return not row


def values(x, y, z, c):
    a = x or y or z
    b = x and y
    d = x is None or y
    e = x if c is None else y
    f = not x
    g = x == y and z
    return a, b, d, e, f, g
