package remotetest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Authority issues certificates for 127.0.0.1, valid for a day.
type Authority struct {
	File string // its own certificate, as PEM

	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	dir         string
}

func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{dir: t.TempDir()}
	a.key = newKey(t)
	a.File, _ = a.issue(t, "authority", a.key, x509.Certificate{IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign})
	a.certificate, _ = x509.ParseCertificate(a.read(t, a.File))
	return a
}

// Server returns the configuration of a server. If mutual, clients need a certificate of the
// authority.
func (a *Authority) Server(t testing.TB, mutual bool) *tls.Config {
	t.Helper()
	certificate, key := a.Issue(t, "server")
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{pair}}
	if mutual {
		config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		config.ClientCAs.AddCert(a.certificate)
	}
	return config
}

// Issue returns the PEM files of a new certificate with that name and its key.
func (a *Authority) Issue(t testing.TB, name string) (certificate, key string) {
	t.Helper()
	return a.issue(t, name, newKey(t), x509.Certificate{KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}})
}

func (a *Authority) issue(t testing.TB, name string, key *ecdsa.PrivateKey, c x509.Certificate) (string, string) {
	t.Helper()
	c.SerialNumber = big.NewInt(time.Now().UnixNano())
	c.Subject = pkix.Name{CommonName: name}
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	issuer := a.certificate
	if issuer == nil {
		issuer = &c
	}
	der, err := x509.CreateCertificate(rand.Reader, &c, issuer, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return a.write(t, name+".pem", "CERTIFICATE", der), a.write(t, name+".key", "PRIVATE KEY", private)
}

func (a *Authority) write(t testing.TB, name, kind string, der []byte) string {
	t.Helper()
	path := filepath.Join(a.dir, name)
	content := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (a *Authority) read(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(content)
	return block.Bytes
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}
