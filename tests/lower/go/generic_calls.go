package ferries

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"

	"example.org/ferries/pick"
)

type Crate[T any] struct {
	inside T
}

func load(decks []*corev1.Secret) error {
	one := pick.First[*corev1.Secret](decks)
	two := pick.Named[corev1.Secret](decks, "two")
	all, err := pick.List[[]string](decks)
	if err != nil {
		return err
	}
	if err := pick.Check[string](one); err != nil {
		return err
	}
	known := sets.Set[string](all)
	crate := Crate[string](two)
	use(one, known, crate)
	return nil
}
