import six
from contextlib import suppress


def f(xs, ys, m, q):
    for x in xs:
        if x:
            continue
        break
    else:
        done()
    for k, v in m.items():
        use(k, v)
    for item in m.items():
        use(item)
    for i, x in enumerate(xs, 1):
        use(i, x)
    for i, (k, v) in enumerate(sorted(m.items())):
        use(i, k, v)
    for x, y in zip(xs, ys):
        use(x, y)
    for i in range(len(xs)):
        use(xs[i])
    for a, (b, *c), d in xs:
        use(a, b, c, d)
    for x in (1, "a", y):
        use(x)
    for x in *xs, 1:
        use(x)
    for m.x in xs:
        pass
    for k, v in six.iteritems(m):
        use(k, v)
    while q:
        q.pop()
    else:
        done()
    while True:
        if q.empty():
            break
    while (x := q.get()) is not None:
        use(x)
    for x in xs:
        while x.next:
            x = x.next
        else:
            break
        while 1:
            continue


async def g(xs):
    async for x in xs.pages():
        async with x.lock() as lock, open(x) as (a, b):
            use(lock, a, b)
    with suppress(KeyError, OSError), xs:
        use(xs)
    with (open(a) as f, open(b) as g):
        use(f, g)
    with suppress(ValueError) as s:
        pass


def generator(xs):
    for x in xs:
        yield x
        if x.last:
            return
    y = yield from xs
    yield
    return y


def comprehensions(xs, m, used):
    a = [x.n for x in xs if x.ok if not x.gone]
    b = {k: v for k, v in m.items()}
    c = {k: True for k, v in m.items()}
    d = [y for x in xs if x.ok for y in x.ys if y not in used]
    e = any(x.n == a for x in xs)
    f = all(x.ok or x.n for x in xs)
    g = any(xs), all(x for x in (1, 2)), any([x for x in xs if x.ok]), not any(map(h, xs))
    i = next((x for x in xs if x.ok), None)
    k = next(iter(xs), 0)
    l = [y for x in xs if (y := h(x)) is not None]
    n = [x for i, x in enumerate(xs) if i > 1], [x + y for x, y in zip(xs, m)]
    o = [(lambda: x.n) for x in xs]
    p = list(enumerate(xs)), dict(zip(xs, m))
    [h(x) for x in xs if x]
    [h(x, y) for x in xs for y in x]
    list(map(h, xs))
    {h(a) for a in xs}


def next_without_default(xs):
    return next(x for x in xs if x.ok)
