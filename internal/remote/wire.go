package remote

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"whittle/oracle"
)

// streamsAtOnce bounds the tests per connection: servers usually allow a hundred streams.
const streamsAtOnce = 80

const callLimit = time.Minute // for calls without a test

type wire struct {
	target  string
	open    bool // not encrypted
	connect func() (*grpc.ClientConn, error)
	headers

	mu    sync.Mutex
	lines []*line // the first never waits for tests
}

type line struct {
	*grpc.ClientConn
	busy int
}

// dial creates connections, which connect on first use.
func dial(o *Options) (*wire, error) {
	target, secret, err := parseTarget(o.Target)
	if err != nil {
		return nil, err
	}
	who := insecure.NewCredentials()
	switch {
	case secret:
		config, err := o.TLS.config()
		if err != nil {
			return nil, err
		}
		who = credentials.NewTLS(config)
	case o.TLS != TLS{}:
		return nil, fmt.Errorf("certificates are of no use for %s, which is not encrypted; use grpcs://", o.Target)
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(who), grpc.WithDisableServiceConfig(), grpc.WithUserAgent("whittle"),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: reconnect, MinConnectTimeout: callLimit / 3}),
	}
	if !proxied(target) {
		options = append(options, grpc.WithContextDialer(dialer(target)))
	}
	w := &wire{target: o.Target, open: !secret, headers: headers{ask: o.Headers}}
	w.lines = make([]*line, 1+(o.Jobs+streamsAtOnce-1)/streamsAtOnce)
	w.connect = func() (*grpc.ClientConn, error) {
		conn, err := grpc.NewClient(target, options...)
		if err != nil {
			return nil, oracle.Errorf("cannot connect to the cluster at %s: %w; "+
				"its address is grpc://HOST:PORT, grpcs://HOST:PORT or unix:PATH", o.Target, err)
		}
		return conn, nil
	}
	if err := w.login(); err != nil {
		return nil, err
	}
	return w, w.redial()
}

var reconnect = backoff.Config{
	BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 5 * time.Second,
}

// redial replaces all connections; calls on the old ones fail.
func (w *wire) redial() error {
	fresh := make([]*line, len(w.lines))
	for i := range fresh {
		conn, err := w.connect()
		if err != nil {
			return err
		}
		fresh[i] = &line{ClientConn: conn}
	}
	w.mu.Lock()
	old := w.lines
	w.lines = fresh
	w.mu.Unlock()
	for _, l := range old {
		if l != nil {
			l.Close()
		}
	}
	return nil
}

func (w *wire) calls() *grpc.ClientConn {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lines[0].ClientConn
}

func proxied(target string) bool {
	host, is := strings.CutPrefix(target, "dns:///")
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: "https", Host: host}})
	return is && proxy != nil && err == nil
}

// parseTarget returns an address for gRPC, and whether it is encrypted. The error is a mistake of the user, and hides
// passwords.
func parseTarget(text string) (target string, secret bool, err error) {
	if path, is := strings.CutPrefix(text, "unix:"); is {
		return "unix:" + strings.TrimPrefix(path, "//"), false, nil
	}
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		scheme, rest = "grpcs", text
	}
	port := map[string]string{"grpc": "80", "grpcs": "443"}[scheme]
	rest = strings.TrimSuffix(rest, "/")
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		return "", false, fmt.Errorf("an address of a cluster has no user name and no password, as in %s://...%s; "+
			"send a token in a header", scheme, rest[i:])
	}
	if port == "" || rest == "" || strings.ContainsAny(rest, "/?# ") {
		return "", false, fmt.Errorf("%q is no address of a cluster; "+
			"write grpc://HOST:PORT, grpcs://HOST:PORT or unix:PATH", text)
	}
	if _, _, err := net.SplitHostPort(rest); err != nil {
		rest = net.JoinHostPort(strings.Trim(rest, "[]"), port)
	}
	return "dns:///" + rest, scheme == "grpcs", nil
}

// dialer sets keep-alive, to detect dead peers and keep connections open during long tests.
func dialer(target string) func(context.Context, string) (net.Conn, error) {
	d := &net.Dialer{KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: 30 * time.Second, Interval: 10 * time.Second, Count: 4,
	}}
	return func(ctx context.Context, address string) (net.Conn, error) {
		if path, is := strings.CutPrefix(target, "unix:"); is {
			return d.DialContext(ctx, "unix", path)
		}
		return d.DialContext(ctx, "tcp", address)
	}
}

// config reads the files; its error is a mistake of the user.
func (t TLS) config() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.CA != "" {
		pem, err := os.ReadFile(t.CA)
		if err != nil {
			return nil, fmt.Errorf("cannot read the certificates of trusted authorities: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("there is no certificate in %s; it must be a PEM file", t.CA)
		}
	}
	switch {
	case (t.Cert == "") != (t.Key == ""):
		return nil, errors.New("a certificate and its key belong together; give both files")
	case t.Cert != "":
		pair, err := tls.LoadX509KeyPair(t.Cert, t.Key)
		if err != nil {
			return nil, fmt.Errorf("cannot use the certificate %s with the key %s: %w", t.Cert, t.Key, err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// stream returns the connection with the fewest streams.
func (w *wire) stream() (*grpc.ClientConn, func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	least := slices.MinFunc(w.lines[1:], func(a, b *line) int { return a.busy - b.busy })
	least.busy++
	return least.ClientConn, sync.OnceFunc(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		least.busy--
	})
}

func (w *wire) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	for _, l := range w.lines {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

func (c *Cluster) capabilities(ctx context.Context) (*repb.ServerCapabilities, error) {
	limited, cancel := context.WithTimeout(c.wire.context(ctx), c.health.pace.reply)
	defer cancel()
	return repb.NewCapabilitiesClient(c.wire.calls()).GetCapabilities(limited,
		&repb.GetCapabilitiesRequest{InstanceName: c.options.Instance})
}

func (c *Cluster) adviceFor(err error) string {
	text := err.Error()
	switch code := status.Code(err); {
	case strings.Contains(text, "first record does not look like a TLS handshake"):
		return "; it is not encrypted: use grpc://"
	case strings.Contains(text, "unknown authority"):
		return "; who signed its certificate is not trusted here: name the file of the authority"
	case strings.Contains(text, "x509:"), strings.Contains(text, "tls:"):
		return "; look at the certificates of both sides, and at the clock of this machine"
	case strings.Contains(text, "error reading server preface"), strings.Contains(text, "connection reset"),
		strings.Contains(text, "broken pipe"):
		if c.wire.open {
			return "; is it encrypted? then use grpcs://"
		}
		return "; does it want to know who asks? then give it a certificate and its key"
	case code == codes.Unauthenticated:
		return "; it does not know who asks: give it a header with a token, or a new one if that has expired"
	case code == codes.PermissionDenied:
		return "; whoever asks may not do that there: look at the token, and at the instance name"
	case code == codes.Unimplemented:
		return "; something else is listening there: it must speak the Remote Execution API, version 2"
	case code == codes.InvalidArgument, code == codes.NotFound, code == codes.FailedPrecondition:
		return "; look at the instance name, at the platform properties and at the time limit"
	case code == codes.ResourceExhausted:
		return "; if it takes no more calls at once, let fewer tests run there at once"
	case code == codes.Unavailable, code == codes.DeadlineExceeded:
		return "; is it running, and is the address right?"
	}
	return ""
}

func plain(err error) error {
	if s, is := status.FromError(err); is {
		return errors.New(s.Code().String() + ": " + s.Message())
	}
	return err
}

type headers struct {
	ask func() ([]Header, error)

	asking sync.Mutex
	sent   atomic.Pointer[metadata.MD]
}

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
