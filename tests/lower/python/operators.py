import os.path


def numbers(a, b, n):
    c = 24 * 60 * 60 + 1
    d = a * 2
    e = a / 1e9
    f = a // 60 % 7
    g = 2 * a
    h = a * b
    i = a ** 2 << 3
    j = -a, +a, ~a, -1
    k = 0.5, 0xFF, 1_000, 3j
    m = a + b - n
    p = a @ b ^ n
    return 7 // 2


def text(a, b, names, base, n):
    c = "lab-" + a + "/" + str(b)
    d = f"{a}-{b!r:>{n}}{{}}" f"x{a + 1}"
    e = "%s/%05d%%" % (a, b)
    f = "%s" % a
    g = "%(k)s" % {"k": a}
    h = "{}-{name}".format(a, name=b)
    i = "{0.x}".format(a)
    j = ",".join(names)
    k = os.path.join(base, a)
    m = base / "sub" / a
    n = rb"a\n" b"c"
    o = "a\n\"b\""
    p = t"lab-{a}"
    q = f"plain"
    r = base % a
    s = str() + repr(a)
    return f"{(yield)}"


def sets(a, b, known, flags):
    c = a | b
    d = a & b
    e = a - set(b)
    f = {x for x in a} - b
    g = a - b
    h = a.union(b, known)
    i = a.intersection(b)
    j = a.difference(b, known)
    k = flags & 0o7 | 1
    m = (a == 1) & ~(b == 2) | (b.x > 3)
    n = [1] + a
    o = a + ["x"]
    p = a.isdisjoint(b)
    q = {*a, 1, *b}
    r = {**a, "x": 1, **b}
    s = {"x": 1, 2: 3}
    t = {a: b, b: 1}
    u = a, *b
    v = set().union(*a), set.union(a, *b), set().union(*[x.y for x in a]), sum(a, [])
    return [], {}, (), set(), list(), dict(), frozenset(), tuple()


def places(m, k, o, xs):
    a = m["k"], m[k], m[0], m[-1], m[1:k], m[:], m[k, 1], m[::2], o.x["y"].z
    m["k"] = 1
    m[k] = 2
    m[0] = 3
    m[:] = xs
    m[1:2] = xs
    o.x = 4
    o.x.y[k].z = 5
    m["k"] += 1
    m[k] |= {1}
    xs += [1]
    xs -= set(k)
    o.n *= 2
    f(o).x = 6
    f(o)[k] = 7
    del m[k], m["k"], o.x, xs[:], xs[1:2], a
    del (f(o)[k])
