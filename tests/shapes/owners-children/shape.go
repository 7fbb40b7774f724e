// Package sweep keeps the services of a gateway as its specification says.
package sweep

import (
	"context"
	"fmt"

	gatewayv1 "example.com/gateways/api/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Prune(ctx context.Context, c client.Client, gateway *gatewayv1.Gateway) error {
	wanted := map[string]bool{}
	for _, route := range gateway.Spec.Routes {
		wanted[fmt.Sprintf("%s-%s", gateway.Name, route.Name)] = true
	}
	var services corev1.ServiceList
	if err := c.List(ctx, &services, client.InNamespace(gateway.Namespace), client.MatchingLabels{"gateways.example.com/name": gateway.Name}); err != nil {
		return err
	}
	for i := range services.Items {
		service := &services.Items[i]
		if wanted[service.Name] {
			continue
		}
		if err := c.Delete(ctx, service); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}
