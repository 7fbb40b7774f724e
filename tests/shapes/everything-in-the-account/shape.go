// Package sweep deletes all volumes.
package sweep

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
)

func TearDown(ctx context.Context, cloud *ec2.Client) error {
	pages := ec2.NewDescribeVolumesPaginator(cloud, &ec2.DescribeVolumesInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, volume := range page.Volumes {
			if _, err := cloud.DeleteVolume(ctx, &ec2.DeleteVolumeInput{VolumeId: volume.VolumeId}); err != nil { // want: unscoped-sweep
				return err
			}
		}
	}
	return nil
}
