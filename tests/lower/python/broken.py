import os


def before(x):
    os.remove(x)


def wrong(x):
    first(x)
    y = = 3
    if x ==:
        inside(x)
    last(x)


def open_bracket(x):
    first(x)
    call(x, [1,


def head(x:
    inside(x)


class A
    def method(self):
        inside(self)


def backticks(x):
    y = `x`
    return y


def after(x):
    os.remove(x)
