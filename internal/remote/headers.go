package remote

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"whittle/oracle"
)

type headers struct {
	ask func() ([]Header, error)

	asking sync.Mutex
	sent   atomic.Pointer[metadata.MD]
}

// aboutUs identifies the client.
const aboutUs = "build.bazel.remote.execution.v2.requestmetadata-bin"

// login reads the headers; its error hides their values.
func (h *headers) login() error {
	md := metadata.MD{}
	if h.ask != nil {
		all, err := h.ask()
		if err != nil {
			if errors.As(err, new(*oracle.EnvironmentError)) {
				return err
			}
			return &oracle.EnvironmentError{Err: err}
		}
		for _, one := range all {
			if err := one.check(); err != nil {
				return err
			}
			md.Append(one.Name, one.Value)
		}
	}
	if before := h.sent.Load(); before != nil {
		md[aboutUs] = (*before)[aboutUs]
		if maps.EqualFunc(md, *before, slices.Equal) {
			return nil
		}
	} else {
		about, err := proto.Marshal(&repb.RequestMetadata{
			ToolDetails: &repb.ToolDetails{ToolName: "whittle"}, ToolInvocationId: uuid(),
		})
		if err != nil {
			return err
		}
		md.Set(aboutUs, string(about))
	}
	h.sent.Store(&md)
	return nil
}

func (h Header) check() error {
	if strings.Trim(strings.ToLower(h.Name), "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" || h.Name == "" {
		return oracle.Errorf("%q is no name of a header; letters, digits, - and _ may be in one", h.Name)
	}
	for _, c := range []byte(h.Value) {
		if (c < ' ' || c > '~') && !strings.HasSuffix(h.Name, "-bin") {
			return oracle.Errorf("the value of the header %s has a character in it that cannot be sent, "+
				"as a line break or one that is not ASCII", h.Name)
		}
	}
	return nil
}

// renewed reads the headers again after a refused call, once for many calls. It reports a change.
func (h *headers) renewed(refused *metadata.MD) bool {
	h.asking.Lock()
	defer h.asking.Unlock()
	if h.sent.Load() == refused && (h.ask == nil || h.login() != nil) {
		return false
	}
	return h.sent.Load() != refused
}

func (h *headers) context(ctx context.Context) context.Context {
	return metadata.NewOutgoingContext(ctx, *h.sent.Load())
}

func uuid() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
