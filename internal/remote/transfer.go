package remote

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/genproto/googleapis/bytestream"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"whittle/oracle"
)

const (
	batchAtMost   = 4 << 20 // bytes per message
	batchAtLeast  = 16 << 10
	beside        = 256     // per blob in a batch, in bytes
	chunk         = 1 << 20 // bytes per piece of a larger blob
	uploadsAtOnce = 16      // bounds memory
	presentAtMost = 1 << 16 // blobs in the cluster
	askedAtMost   = 1 << 16 // candidates
	bytesASecond  = 100 << 10
)

// upload sends missing blobs, including the empty blob, which some servers lack.
func (c *Cluster) upload(ctx context.Context, blobs []blob) error {
	var unknown []blob
	seen := map[digest]bool{}
	for _, b := range blobs {
		if !seen[b.digest] && c.present.add(b.digest, 0) == 0 {
			unknown = append(unknown, b)
		}
		seen[b.digest] = true
	}
	if len(unknown) == 0 {
		return nil
	}
	select {
	case c.uploads <- struct{}{}:
		defer func() { <-c.uploads }()
	case <-ctx.Done():
		return ctx.Err()
	}
	missing, err := c.missing(ctx, unknown)
	if err != nil {
		return err
	}
	var batch []blob
	room := c.room()
	for _, b := range missing {
		if int(b.size)+beside > c.room() {
			if err := c.send(ctx, b); err != nil {
				return err
			}
			continue
		}
		if room -= int(b.size) + beside; room < 0 {
			if err := c.sendBatch(ctx, batch); err != nil {
				return err
			}
			batch, room = nil, c.room()-int(b.size)-beside
		}
		batch = append(batch, b)
	}
	if err := c.sendBatch(ctx, batch); err != nil {
		return err
	}
	for _, b := range unknown {
		c.present.add(b.digest, 1)
	}
	return nil
}

func (c *Cluster) room() int { return int(c.batch.Load()) - 1024 }

// shrink makes batches smaller after a message that was too large, since some servers report no limit.
func (c *Cluster) shrink(err error) error {
	if status.Code(err) == codes.ResourceExhausted && strings.Contains(err.Error(), "larger than max") {
		c.batch.Store(max(batchAtLeast, c.batch.Load()/2))
	}
	return err
}

func (c *Cluster) forget(blobs []blob) {
	for _, b := range blobs {
		c.present.forget(b.digest)
	}
}

func (c *Cluster) missing(ctx context.Context, blobs []blob) ([]blob, error) {
	request := &repb.FindMissingBlobsRequest{InstanceName: c.options.Instance, DigestFunction: c.hash.value}
	for _, b := range blobs {
		request.BlobDigests = append(request.BlobDigests, b.Proto())
	}
	limited, cancel := context.WithTimeout(c.wire.context(ctx), callLimit)
	defer cancel()
	answer, err := repb.NewContentAddressableStorageClient(c.wire.calls()).FindMissingBlobs(limited, request)
	if err != nil {
		return nil, err
	}
	lacks := map[digest]bool{}
	for _, d := range answer.MissingBlobDigests {
		lacks[fromProto(d)] = true
	}
	return slices.DeleteFunc(slices.Clone(blobs), func(b blob) bool { return !lacks[b.digest] }), nil
}

func (c *Cluster) sendBatch(ctx context.Context, blobs []blob) error {
	if len(blobs) == 0 {
		return nil
	}
	request := &repb.BatchUpdateBlobsRequest{InstanceName: c.options.Instance, DigestFunction: c.hash.value}
	size := int64(0)
	for _, b := range blobs {
		data := b.data
		if b.path != "" {
			var err error
			if data, err = os.ReadFile(b.path); err != nil {
				return oracle.Errorf("cannot send a file of the test: %w", err)
			}
		}
		if int64(len(data)) != b.size {
			return changed(b)
		}
		size += b.size
		request.Requests = append(request.Requests, &repb.BatchUpdateBlobsRequest_Request{Digest: b.Proto(), Data: data})
	}
	limited, cancel := context.WithTimeout(c.wire.context(ctx), callLimit)
	defer cancel()
	answer, err := repb.NewContentAddressableStorageClient(c.wire.calls()).BatchUpdateBlobs(limited, request)
	if err != nil {
		return c.shrink(err)
	}
	for _, r := range answer.Responses {
		if code := codes.Code(r.GetStatus().GetCode()); code != codes.OK {
			return status.Error(code, r.Status.Message)
		}
	}
	c.counters.uploaded.Add(size)
	return nil
}

func changed(b blob) error {
	return oracle.Errorf("%s, a file of the test, has changed since the start; begin again", b.path)
}

func (c *Cluster) send(ctx context.Context, b blob) error {
	source, err := b.open()
	if err != nil {
		return oracle.Errorf("cannot send a file of the test: %w", err)
	}
	defer source.Close()
	limited, cancel := context.WithTimeout(c.wire.context(ctx), callLimit+time.Duration(b.size/bytesASecond)*time.Second)
	defer cancel()
	stream, err := bytestream.NewByteStreamClient(c.wire.calls()).Write(limited)
	if err != nil {
		return err
	}
	request := &bytestream.WriteRequest{ResourceName: c.resource("uploads", uuid(), b.digest)}
	for buffer := make([]byte, min(chunk, c.room())); ; {
		n, err := io.ReadFull(source, buffer)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return oracle.Errorf("cannot send a file of the test: %w", err)
		}
		request.Data = buffer[:n]
		request.FinishWrite = request.WriteOffset+int64(n) >= b.size
		if err := stream.Send(request); err != nil {
			break // the reason is in the answer
		}
		if request.FinishWrite {
			break
		}
		if n == 0 {
			return changed(b)
		}
		request = &bytestream.WriteRequest{WriteOffset: request.WriteOffset + int64(n)}
	}
	answer, err := stream.CloseAndRecv()
	if err != nil {
		return c.shrink(err)
	}
	// -1 may mean that the server has the blob.
	if got := answer.CommittedSize; got != b.size && got != -1 {
		return status.Error(codes.Unavailable, fmt.Sprintf("of %d bytes it took %d", b.size, got))
	}
	c.counters.uploaded.Add(b.size)
	return nil
}

func (c *Cluster) resource(kind, id string, d digest) string {
	return path.Join(c.options.Instance, kind, id, "blobs", d.hash, strconv.FormatInt(d.size, 10))
}

// fetch reads a blob into w. One message for a small blob is cheaper, and works on all servers for instances without a
// name.
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
		ResourceName: c.resource("", "", d),
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
