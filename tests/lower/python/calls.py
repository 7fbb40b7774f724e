import asyncio
import collections
import queue
import itertools
import requests
from collections import defaultdict
from typing import cast


async def f(api, xs, m, name, *args, **kw):
    api.put(name, force=True, *args, **kw)
    g(x for x in xs)
    await api.list()
    a = api.list().items
    b = list(sorted(xs, key=h)), tuple(reversed(xs)), set(m.keys()), m.values(), m.copy(), iter(xs)
    c = m.get("k"), m.get("k", 1), m.get(name), m.get("/v1/x"), requests.get("k"), m.get("a.b/c")
    d = getattr(m, "k"), getattr(m, "k", None), getattr(m, name), hasattr(m, "k")
    e = dict(m), dict(m, a=1), dict(a=1, **m), dict([(1, 2)])
    i = collections.defaultdict(list), defaultdict(list), queue.Queue(), collections.deque(xs), asyncio.Queue()
    j = cast(int, m), itertools.chain(xs, m), itertools.chain.from_iterable(xs)
    k = str(m), bool(xs), len(xs), print(m)
    l = (lambda x, *y, z=1, **w: x + y)(1)
    o = xs.append(1), xs.pop(), m.setdefault(name, []).append(2), m.update(a=1)
    p = api.a.b(1).c(2)(3)
    q = sum(1 for x in xs if x.ok), max(xs, key=lambda x: x.n)
    r = list(map(h, xs)), list(filter(h, xs)), list(filter(None, xs)), list(map(str, xs))
    s = list(map(lambda x: x.n, xs)), list(filter(lambda x: x.ok or x.n, xs)), list(map(h, xs, m))
    t = super().f(1)
    assert m.ok, "message"


def shadowed(list, set):
    len = 1
    return list(set), len(set), set()
