package fake

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"strings"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/genproto/googleapis/bytestream"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

type storage struct {
	*Server
	repb.UnimplementedContentAddressableStorageServer
}

func (s *storage) FindMissingBlobs(_ context.Context, r *repb.FindMissingBlobsRequest,
) (*repb.FindMissingBlobsResponse, error) {
	answer := &repb.FindMissingBlobsResponse{}
	for _, d := range r.BlobDigests {
		if _, is := s.Get(d); !is {
			answer.MissingBlobDigests = append(answer.MissingBlobDigests, d)
		}
	}
	return answer, nil
}

func (s *storage) BatchUpdateBlobs(_ context.Context, r *repb.BatchUpdateBlobsRequest,
) (*repb.BatchUpdateBlobsResponse, error) {
	answer := &repb.BatchUpdateBlobsResponse{}
	for _, one := range r.Requests {
		code := codes.OK
		if !proto.Equal(s.Put(one.Data), one.Digest) {
			code = codes.InvalidArgument
		}
		answer.Responses = append(answer.Responses,
			&repb.BatchUpdateBlobsResponse_Response{Digest: one.Digest, Status: &status.Status{Code: int32(code)}})
	}
	return answer, nil
}

func (s *storage) BatchReadBlobs(_ context.Context, r *repb.BatchReadBlobsRequest,
) (*repb.BatchReadBlobsResponse, error) {
	answer := &repb.BatchReadBlobsResponse{}
	for _, d := range r.Digests {
		data, is := s.Get(d)
		code := codes.OK
		if !is {
			code = codes.NotFound
		}
		answer.Responses = append(answer.Responses,
			&repb.BatchReadBlobsResponse_Response{Digest: d, Data: data, Status: &status.Status{Code: int32(code)}})
	}
	return answer, nil
}

type stream struct {
	*Server
	bytestream.UnimplementedByteStreamServer
}

func nameOf(resource string) (*repb.Digest, error) {
	_, rest, found := strings.Cut("/"+resource, "/blobs/")
	words := strings.Split(rest, "/")
	if found && len(words) >= 2 {
		if size, err := strconv.ParseInt(words[len(words)-1], 10, 64); err == nil {
			return &repb.Digest{Hash: words[len(words)-2], SizeBytes: size}, nil
		}
	}
	return nil, grpcstatus.Error(codes.InvalidArgument, "not the name of a blob: "+resource)
}

const piece = 64 << 10

func (s *stream) Read(r *bytestream.ReadRequest, to bytestream.ByteStream_ReadServer) error {
	d, err := nameOf(r.ResourceName)
	if err != nil {
		return err
	}
	data, is := s.Get(d)
	if !is {
		return grpcstatus.Error(codes.NotFound, "no such blob: "+d.Hash)
	}
	for data = data[r.ReadOffset:]; len(data) > 0; {
		n := min(len(data), piece)
		if err := to.Send(&bytestream.ReadResponse{Data: data[:n]}); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

func (s *stream) Write(from bytestream.ByteStream_WriteServer) error {
	var all bytes.Buffer
	name := ""
	for {
		r, err := from.Recv()
		if err == io.EOF {
			return grpcstatus.Error(codes.InvalidArgument, "the upload has no end")
		} else if err != nil {
			return err
		}
		if name == "" {
			name = r.ResourceName
		}
		if r.WriteOffset != int64(all.Len()) {
			return grpcstatus.Error(codes.InvalidArgument, "a piece at a wrong place")
		}
		if all.Write(r.Data); r.FinishWrite {
			break
		}
	}
	d, err := nameOf(name)
	if err != nil {
		return err
	}
	if !proto.Equal(s.Put(all.Bytes()), d) {
		return grpcstatus.Error(codes.InvalidArgument, "not the bytes of its digest")
	}
	return from.SendAndClose(&bytestream.WriteResponse{CommittedSize: int64(all.Len())})
}

func (s *stream) QueryWriteStatus(context.Context, *bytestream.QueryWriteStatusRequest,
) (*bytestream.QueryWriteStatusResponse, error) {
	return &bytestream.QueryWriteStatusResponse{}, nil
}

type actionCache struct {
	*Server
	repb.UnimplementedActionCacheServer
}

func (s *actionCache) GetActionResult(_ context.Context, r *repb.GetActionResultRequest) (*repb.ActionResult, error) {
	if result := s.cached(r.ActionDigest); result != nil {
		return result, nil
	}
	return nil, grpcstatus.Error(codes.NotFound, "no such result")
}

// cached returns an outcome whose files all exist, or nil.
func (s *Server) cached(action *repb.Digest) *repb.ActionResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cache[action.GetHash()]
}
