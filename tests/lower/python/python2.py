import sys


def f(x, (a, b), n=0777):
    print "x", x
    print >>sys.stderr, x
    print
    try:
        exec "code" in x
    except ValueError, e:
        raise E, "message"
    except (A, B), e:
        pass
    for k, v in x.iteritems():
        print k % v
    return 10L <> n, map(lambda (k, v): k, x)
