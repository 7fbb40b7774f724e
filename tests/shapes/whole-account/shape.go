// Package sweep terminates machines that no row names.
package sweep

import (
	"context"
	"database/sql"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
)

func Sweep(ctx context.Context, cloud *ec2.Client, db *sql.DB) error {
	var machines []string
	pages := ec2.NewDescribeInstancesPaginator(cloud, &ec2.DescribeInstancesInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, reservation := range page.Reservations {
			for _, instance := range reservation.Instances {
				machines = append(machines, aws.ToString(instance.InstanceId))
			}
		}
	}
	rows, err := db.QueryContext(ctx, "SELECT instance_id FROM machine")
	if err != nil {
		return err
	}
	defer rows.Close()
	known := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		known[name] = true
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, machine := range machines {
		if known[machine] {
			continue
		}
		_, err := cloud.TerminateInstances(ctx, &ec2.TerminateInstancesInput{InstanceIds: []string{machine}}) // want: delete-on-absence, missing-grace-period, unscoped-sweep
		if err != nil {
			return err
		}
	}
	return nil
}
