package remote

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha512"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"hash"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"whittle/internal/testkit/fake"
	"whittle/oracle"
)

func refuses(t *testing.T, o Options, words ...string) {
	t.Helper()
	p := hasty
	p.reply = time.Second
	c, err := dialAt(t.Context(), o, p)
	if err == nil {
		c.Close()
		t.Errorf("%s is no error", o.Target)
		return
	}
	var environment *oracle.EnvironmentError
	_, mistake := o.TLS.config()
	if errors.As(err, &environment) == (mistake != nil) {
		t.Errorf("%s: %v; is an environment error: %v", o.Target, err, mistake == nil)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q is not in: %v", w, err)
		}
	}
	if strings.Contains(err.Error(), "sesame") {
		t.Errorf("a secret is in: %v", err)
	}
}

func TestClusterTargets(t *testing.T) {
	for text, want := range map[string]string{
		"grpc://a.example:1": "dns:///a.example:1", "grpcs://a.example": "dns:///a.example:443 secret",
		"a.example:1/": "dns:///a.example:1 secret", "grpc://[::1]:5": "dns:///[::1]:5", "grpc://[::1]": "dns:///[::1]:80",
		"unix:/a/b": "unix:/a/b", "unix:///a/b": "unix:/a/b", "http://a.example": "", "grpc://": "", "": "",
		"grpc://a/b": "", "grpcs://user@a": "",
	} {
		got, secret, err := parseTarget(text)
		if secret {
			got += " secret"
		}
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestClusterDialErrors(t *testing.T) {
	refuses(t, Options{Target: "grpc://127.0.0.1:1"}, "127.0.0.1:1", "is it running")
	refuses(t, Options{Target: "unix:" + t.TempDir() + "/none"}, "is it running")
	refuses(t, Options{Target: serve(t, fake.Options{CacheOnly: true}, fake.Hooks{}).Target()}, "is a cache only")
	refuses(t, Options{Target: serve(t, fake.Options{Digests: []repb.DigestFunction_Value{
		repb.DigestFunction_BLAKE3, repb.DigestFunction_VSO}}, fake.Hooks{}).Target()}, "BLAKE3, VSO", "SHA256")
	good := serve(t, fake.Options{}, fake.Hooks{}).Target()
	refuses(t, Options{Target: good, Inputs: []Input{{"/no/such/file", "a"}}}, "/no/such/file")
	refuses(t, Options{Target: good, Inputs: []Input{{"/etc/passwd", "../a"}}}, "../a")
	for _, o := range []Options{
		{Target: good, TLS: TLS{CA: "/no/such/file"}}, {Target: "http://a.example"}, {Target: "grpc://user:sesame@a.example"},
		{Target: "grpcs://a.example", TLS: TLS{CA: "dial_test.go"}}, {Target: "grpcs://a.example", TLS: TLS{Cert: "a"}},
	} {
		c, err := Dial(t.Context(), o)
		if err == nil {
			c.Close()
		}
		if err == nil || errors.As(err, new(*oracle.EnvironmentError)) || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%+v: %v, not a mistake of the user's", o, err)
		}
	}
	refuses(t, Options{Target: good, Headers: func() ([]Header, error) { return nil, errors.New("no helper") }}, "no helper")
	refuses(t, Options{Target: good, Headers: fixed("a b", "sesame")}, `"a b"`)
	refuses(t, Options{Target: good, Headers: fixed("x-key", "sesame\n")}, "x-key", "line break")
	for code, words := range map[codes.Code]string{
		codes.Unauthenticated: "token", codes.PermissionDenied: "instance name", codes.Unimplemented: "Remote Execution API",
		codes.NotFound: "instance name",
	} {
		s := serve(t, fake.Options{}, callFails("GetCapabilities", code)(func() bool { return true }))
		refuses(t, Options{Target: s.Target(), Headers: fixed("authorization", "sesame")}, "it failed", words)
	}
}

func fixed(name, value string) func() ([]Header, error) {
	return func() ([]Header, error) { return []Header{{name, value}}, nil }
}

func TestClusterDigestFunctions(t *testing.T) {
	for f, make := range map[repb.DigestFunction_Value]func() hash.Hash{
		repb.DigestFunction_SHA1: sha1.New, repb.DigestFunction_SHA512: sha512.New,
	} {
		o := fake.Options{Digests: []repb.DigestFunction_Value{f, repb.DigestFunction_BLAKE3}, Hash: make}
		start(t, holds, o, Options{}).both(t)
	}
}

func TestClusterSmallBatches(t *testing.T) {
	for _, o := range []fake.Options{{Batch: 20_000}, {Batch: 20_000, Silent: true}} {
		r := start(t, holds, o, Options{})
		if got := r.run(t, strings.Repeat("hay\n", 10_000)+"needle"); got.ExitCode != 0 {
			t.Errorf("%+v", got)
		}
	}
}

func TestClusterToken(t *testing.T) {
	valid := "sesame 1"
	s := serve(t, fake.Options{}, fake.Hooks{})
	s.Hook(fake.Hooks{Call: func(ctx context.Context, _ string, _ proto.Message) error {
		md, _ := metadata.FromIncomingContext(ctx)
		if got := md.Get("authorization"); len(got) != 1 || got[0] != valid {
			return status.Error(codes.Unauthenticated, "the token has expired")
		}
		return nil
	}})
	ours, asked := "sesame 1", 0
	r := &rig{server: s, spec: oracle.Spec{Argv: []string{"/bin/grep", "-q", "needle", "{}"}, Layout: oracle.Layout{Name: "a.c"}}}
	var err error
	r.Cluster, err = dialAt(t.Context(), Options{Target: s.Target(), Headers: func() ([]Header, error) {
		asked++
		return []Header{{"Authorization", ours}}, nil
	}}, hasty)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Cluster.Close()
	r.both(t)
	valid, ours = "sesame 2", "sesame 2"
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if _, err := r.Run(t.Context(), r.spec, fmt.Append(nil, i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if asked != 2 {
		t.Errorf("asked %d times for the token; want 2", asked)
	}
	valid = "sesame 3"
	if text := r.fails(t, "has expired", "a new one"); strings.Contains(text, "sesame") {
		t.Errorf("the token is in: %s", text)
	}
}

type authority struct {
	dir         string
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{dir: t.TempDir()}
	a.key, a.certificate = a.sign(t, name,
		&x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

func (a *authority) sign(t *testing.T, name string, c *x509.Certificate) (*ecdsa.PrivateKey, *x509.Certificate) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c.SerialNumber, c.Subject = big.NewInt(time.Now().UnixNano()), pkix.Name{CommonName: name}
	c.NotBefore = time.Now().Add(-time.Hour)
	if c.NotAfter.IsZero() {
		c.NotAfter = time.Now().Add(time.Hour)
	}
	c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	parent, signer := a.certificate, a.key
	if parent == nil {
		parent, signer = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{
		a.file(name): {Type: "CERTIFICATE", Bytes: der}, a.file(name + ".key"): {Type: "EC PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if c, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return key, c
}

func (a *authority) file(name string) string { return filepath.Join(a.dir, name+".pem") }

func (a *authority) server(t *testing.T, c *x509.Certificate) *tls.Config {
	t.Helper()
	a.sign(t, "server", c)
	pair, err := tls.LoadX509KeyPair(a.file("server"), a.file("server.key"))
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2"}}
}

func TestClusterTLS(t *testing.T) {
	us, them := newAuthority(t, "us"), newAuthority(t, "them")
	good := us.server(t, &x509.Certificate{})
	trust := TLS{CA: us.file("us")}
	start(t, holds, fake.Options{TLS: good}, Options{TLS: trust}).both(t)

	encrypted := serve(t, fake.Options{TLS: good}, fake.Hooks{}).Target()
	open := serve(t, fake.Options{}, fake.Hooks{}).Target()
	refuses(t, Options{Target: encrypted}, "not trusted here")
	refuses(t, Options{Target: encrypted, TLS: TLS{CA: them.file("them")}}, "not trusted here")
	refuses(t, Options{Target: strings.Replace(encrypted, "grpcs", "grpc", 1)}, "use grpcs://")
	refuses(t, Options{Target: strings.Replace(open, "grpc", "grpcs", 1), TLS: trust}, "use grpc://")
	refuses(t, Options{Target: encrypted, TLS: TLS{CA: us.file("us.key")}}, "no certificate in")
	refuses(t, Options{Target: encrypted, TLS: TLS{CA: us.file("us"), Cert: us.file("us")}}, "belong together")
	refuses(t, Options{Target: encrypted, TLS: TLS{Cert: us.file("us"), Key: them.file("them.key")}},
		"cannot use the certificate")
	past := &x509.Certificate{NotAfter: time.Now().Add(-time.Minute)}
	old := serve(t, fake.Options{TLS: us.server(t, past)}, fake.Hooks{})
	refuses(t, Options{Target: old.Target(), TLS: trust}, "expired", "clock")
}

func TestClusterMutualTLS(t *testing.T) {
	us, them := newAuthority(t, "us"), newAuthority(t, "them")
	config := us.server(t, &x509.Certificate{})
	config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
	config.ClientCAs.AddCert(us.certificate)
	client := &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	us.sign(t, "client", client)
	them.sign(t, "client", client)
	start(t, holds, fake.Options{TLS: config}, Options{
		TLS: TLS{CA: us.file("us"), Cert: us.file("client"), Key: us.file("client.key")}}).both(t)
	target := serve(t, fake.Options{TLS: config}, fake.Hooks{}).Target()
	refuses(t, Options{Target: target, TLS: TLS{CA: us.file("us")}}, "certificate")
	refuses(t, Options{Target: target, TLS: TLS{CA: us.file("us"), Cert: them.file("client"),
		Key: them.file("client.key")}}, "certificate")
}
