import errno
from . import errors as err
from ..core import *


def tries(x):
    try:
        f(x)
    except KeyError:
        a()
    except (ValueError, err.Gone) as e:
        raise
    except x.Error:
        raise err.Gone(x) from e
    except:
        raise e
    else:
        b()
    finally:
        c()
    try:
        f(x)
    finally:
        c()
    try:
        f(x)
    except* OSError as group:
        d(group)
    raise ValueError


def assignments(x, y):
    a = b = c = f(x)
    a, b = b, a
    a, b = x, y
    (a, [b, *c]), d = f(x)
    *a, b = x
    a, *b, c = x, y, 1, 2
    (a) = x
    (a,) = x
    (a.x) += 1
    a: int = 1
    b: str
    a.x, a[y] = f(y)
    if (n := f(x)) > 1 and (m := g(n)):
        h(m)
    elif (k := f(y)):
        h(k)
    elif x:
        h(x)
    else:
        h(y)
    x and y.close()
    x or y.close()
    y.open() if x else y.close()
    f(x), g(x)
    "a string"
    f"{f(x)}"
    x.y
    ...
    type X = int
    type(x).y = f(y)
    print("x")
    pass


counter = 0
table = {}


def scopes(x):
    global counter, fresh
    import os, sys as system
    from shutil import rmtree as remove
    counter += 1
    fresh = os.environ
    remove(system.path)
    table[x] = counter
    return table, open, fresh


def closures(x, y):
    z = 1

    @decorated
    def inner(a, z=2, *rest, key, **kw):
        nonlocal y
        y = a
        z = a
        new = x
        return z

    def gen():
        yield x

    async def deep():
        def deeper():
            return z
        return deeper()

    class Handler(Base):
        field = 1

        def get(self):
            return x

    def later(x=x, *args):
        return x

    run(inner, lambda: x, lambda x: x, lambda k, j=1: k, key=lambda p=x, x=x: p + x)
    return inner(x) and Handler


def match(command, x):
    match command:
        case "go" | "run":
            a()
        case {"kind": "Pod", "n": n, **rest} if n > 1:
            b(n, rest)
        case [first, *others]:
            c(first, others)
        case Point(0, y=0) as p:
            d(p)
        case str(s) | bytes(s):
            e(s)
        case -1 | None | True | 1.5:
            f()
        case Color.RED:
            g()
        case ():
            h()
        case (1, _):
            i()
        case _:
            j()
    match f(x), x:
        case a, 1:
            k(a)
    match x:
        case x:
            k(x)


def ends(path):
    try:
        return open(path)
    except OSError:
        sys.exit(2)
    exit()
