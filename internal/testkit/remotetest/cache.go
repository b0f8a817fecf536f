package remotetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// Outcomes is the action cache of a server, which its clients may write.
type Outcomes struct {
	cache repb.ActionCacheClient
	store repb.ContentAddressableStorageClient
}

// OutcomesOf returns the action cache of the server at an address, and a function that closes the
// connection.
func OutcomesOf(address string) (o *Outcomes, close func() error, err error) {
	connection, err := dial(address)
	if err != nil {
		return nil, nil, err
	}
	return &Outcomes{repb.NewActionCacheClient(connection), repb.NewContentAddressableStorageClient(connection)},
		connection.Close, nil
}

// Asked returns the action in a message to Execute.
func Asked(method string, message []byte) (action *repb.Digest, ok bool) {
	var request repb.ExecuteRequest
	if method != repb.Execution_Execute_FullMethodName || proto.Unmarshal(message, &request) != nil {
		return nil, false
	}
	return request.ActionDigest, true
}

// Stdout returns the output of an action in the cache.
func (o *Outcomes) Stdout(ctx context.Context, action *repb.Digest) (string, error) {
	_, stdout, err := o.get(ctx, action)
	return stdout, err
}

// Poison replaces the output of an action in the cache.
func (o *Outcomes) Poison(ctx context.Context, action *repb.Digest, stdout string) error {
	result, _, err := o.get(ctx, action)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(stdout))
	digest := &repb.Digest{Hash: hex.EncodeToString(sum[:]), SizeBytes: int64(len(stdout))}
	stored, err := o.store.BatchUpdateBlobs(ctx, &repb.BatchUpdateBlobsRequest{
		Requests: []*repb.BatchUpdateBlobsRequest_Request{{Digest: digest, Data: []byte(stdout)}}})
	if err == nil && codes.Code(stored.Responses[0].Status.GetCode()) != codes.OK {
		err = fmt.Errorf("not stored: %s", stored.Responses[0].Status.GetMessage())
	}
	if err != nil {
		return err
	}
	result.StdoutDigest, result.StdoutRaw = digest, nil
	_, err = o.cache.UpdateActionResult(ctx, &repb.UpdateActionResultRequest{ActionDigest: action, ActionResult: result})
	return err
}

func (o *Outcomes) get(ctx context.Context, action *repb.Digest) (*repb.ActionResult, string, error) {
	result, err := o.cache.GetActionResult(ctx, &repb.GetActionResultRequest{ActionDigest: action, InlineStdout: true})
	if err != nil {
		return nil, "", err
	}
	stdout, err := o.stdout(ctx, result)
	return result, stdout, err
}

// stdout returns a result's output; servers send it, or its digest.
func (o *Outcomes) stdout(ctx context.Context, result *repb.ActionResult) (string, error) {
	if result.StdoutDigest == nil || len(result.StdoutRaw) > 0 {
		return string(result.StdoutRaw), nil
	}
	blobs, err := o.store.BatchReadBlobs(ctx, &repb.BatchReadBlobsRequest{Digests: []*repb.Digest{result.StdoutDigest}})
	if err != nil {
		return "", err
	}
	blob := blobs.Responses[0]
	if codes.Code(blob.Status.GetCode()) != codes.OK {
		return "", fmt.Errorf("no stdout %s: %s", result.StdoutDigest.Hash, blob.Status.GetMessage())
	}
	return string(blob.Data), nil
}
