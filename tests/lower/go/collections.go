package labs

import (
	"maps"
	"slices"

	"github.com/samber/lo"
	"k8s.io/apimachinery/pkg/util/sets"
)

func sliced(xs, ys []T, ids []string, id string) {
	f(slices.Contains(ids, id), lo.Contains(ids, id), !slices.ContainsFunc(xs, func(x T) bool { return x.ID == id }))
	xs = slices.DeleteFunc(xs, func(x T) bool { return x.Old || slices.Contains(ids, x.ID) })
	gone := lo.Filter(xs, func(x T, _ int) bool { return !lo.ContainsBy(ys, func(y T) bool { return y.ID == x.ID }) })
	names := lo.Map(gone, func(x T, i int) string { return x.Name })
	kept := lo.Reject(xs, func(x T, i int) bool { return i > 3 })
	left, right := lo.Difference(ids, names)
	only, _ := lo.Difference(names, ids)
	found, ok := lo.Find(xs, func(x T) bool { return x.ID == id })
	byID := lo.KeyBy(xs, func(x T) string { return x.ID })
	pairs := lo.Associate(xs, func(x T) (string, bool) { return x.ID, true })
	more := lo.SliceToMap(xs, func(x T) (string, T) { return x.ID, x })
	f(kept, left, right, only, found, ok, byID, pairs, more, lo.Without(ids, "a", id), lo.Union(ids, names), lo.Intersect(ids, names))
	f(lo.EveryBy(xs, isOld), lo.NoneBy(xs, isOld), lo.SomeBy(xs, isOld), lo.Uniq(ids), lo.ToPtr(id), slices.Clone(xs))
	lo.ForEach(xs, func(x T, _ int) {
		f(x)
	})
	long := lo.Filter(xs, func(x T, _ int) bool {
		if x.Old {
			return true
		}
		return x.Name == id
	})
	f(long)
}

func mapped(m, n map[string]T, gone map[string]bool) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		f(k)
	}
	keys := slices.Collect(maps.Keys(m))
	maps.DeleteFunc(m, func(k string, v T) bool { return gone[k] })
	maps.Copy(m, n)
	m[keys[0]] = n["a"]
	group := map[string][]T{}
	for _, v := range m {
		group[v.Kind] = append(group[v.Kind], v)
	}
	clone := maps.Clone(m)
	f(clone, group)
}

func setsOf(xs []T, ids []string) {
	want := sets.New[string]()
	have := sets.New(ids...)
	few := sets.NewString("a", "b")
	empty := sets.Set[string]{}
	for _, x := range xs {
		want.Insert(x.ID)
	}
	for id := range have.Difference(want) {
		f(id)
	}
	if !want.Has("a") && few.Len() == 0 {
		have.Delete("a")
	}
	f(want.UnsortedList(), sets.KeySet(map[string]T{}), empty)
}

func more(ctx Ctx, xs []T, err error) error {
	ids := lo.FilterMap(xs, func(x T, _ int) (string, bool) { return x.ID, x.Old })
	errs := make([]error, len(xs))
	workqueue.ParallelizeUntil(ctx, 10, len(xs), func(i int) {
		x := xs[i]
		if x.Old {
			errs[i] = x.Close()
		}
	})
	if err := multierr.Combine(errs...); err != nil {
		return err
	}
	err = multierr.Append(err, xs[0].Close())
	f(ids, lo.Ternary(len(xs) > 3, 1, 2), xs[0].ObjectMeta.Name)
	xs[0].ObjectMeta.Labels = nil
	return err
}
