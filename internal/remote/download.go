package remote

import (
	"context"
	"fmt"
	"io"
	"path"
	"strconv"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/genproto/googleapis/bytestream"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// fetch reads a blob into w. Small blobs take one message, which is cheaper, and works on all
// servers for instances without a name.
func (c *Cluster) fetch(ctx context.Context, d digest, w io.Writer) error {
	switch {
	case d.size == 0:
		return nil
	case d.size+beside <= int64(c.room()):
		return c.fetchSmall(ctx, d, w)
	}
	limited, cancel := context.WithTimeout(c.wire.context(ctx), callLimit+time.Duration(d.size/bytesASecond)*time.Second)
	defer cancel()
	stream, err := bytestream.NewByteStreamClient(c.wire.calls()).Read(limited, &bytestream.ReadRequest{
		ResourceName: path.Join(c.options.Instance, "blobs", d.hash, strconv.FormatInt(d.size, 10)),
	})
	for got := int64(0); err == nil; {
		var piece *bytestream.ReadResponse
		if piece, err = stream.Recv(); err == nil {
			got += int64(len(piece.Data))
			c.counters.downloaded.Add(int64(len(piece.Data)))
			if _, err := w.Write(piece.Data); err != nil {
				return err
			}
		} else if err == io.EOF {
			return d.came(got)
		}
	}
	return err
}

func (c *Cluster) fetchSmall(ctx context.Context, d digest, w io.Writer) error {
	limited, cancel := context.WithTimeout(c.wire.context(ctx), callLimit)
	defer cancel()
	answer, err := repb.NewContentAddressableStorageClient(c.wire.calls()).BatchReadBlobs(limited,
		&repb.BatchReadBlobsRequest{InstanceName: c.options.Instance, DigestFunction: c.hash.value,
			Digests: []*repb.Digest{d.Proto()}})
	if err != nil {
		return err
	}
	if len(answer.Responses) != 1 {
		return status.Error(codes.Unknown, fmt.Sprintf("for a blob there came %d", len(answer.Responses)))
	}
	blob := answer.Responses[0]
	if code := codes.Code(blob.GetStatus().GetCode()); code != codes.OK {
		return status.Error(code, blob.Status.Message)
	}
	c.counters.downloaded.Add(int64(len(blob.Data)))
	if err := d.came(int64(len(blob.Data))); err != nil {
		return err
	}
	_, err = w.Write(blob.Data)
	return err
}

func (d digest) came(size int64) error {
	if size != d.size {
		return status.Error(codes.DataLoss, fmt.Sprintf("of %d bytes of output there came %d", d.size, size))
	}
	return nil
}
