// Package sweep deletes objects of the archive that no row names.
package sweep

import (
	"context"
	"database/sql"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

func Sweep(ctx context.Context, bucket *s3.Client, db *sql.DB, name string) error {
	var keys []string
	pages := s3.NewListObjectsV2Paginator(bucket, &s3.ListObjectsV2Input{Bucket: aws.String(name)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, object := range page.Contents {
			keys = append(keys, aws.ToString(object.Key))
		}
	}
	rows, err := db.QueryContext(ctx, "SELECT object_key FROM archive")
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
	for _, key := range keys {
		if known[key] {
			continue
		}
		_, err := bucket.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: aws.String(name), Key: aws.String(key)}) // want: delete-on-absence, missing-grace-period
		if err != nil {
			return err
		}
	}
	return nil
}
