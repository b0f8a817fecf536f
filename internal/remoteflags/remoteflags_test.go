package remoteflags

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"whittle/internal/remote"
)

func TestReadSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rc")
	for _, c := range []struct {
		text string
		want settings
	}{
		{"", settings{}},
		{"# nothing\n\n  \n", settings{}},
		{"x-api-key=t=o'k\r\nAuthorization: Bearer a=b:c\n", settings{headers: []remote.Header{
			{Name: "x-api-key", Value: "t=o'k"}, {Name: "Authorization", Value: "Bearer a=b:c"}}}},
		{`import other
startup --batch
build --remote_executor=grpcs://remote.example.com --jobs 50
common --remote_header=x-api-key=abc --remote_cache_header=x-api-key=abc
build:remote --remote_instance_name main "--remote_header=a=with space" # said the team
build --remote_default_exec_properties=OSFamily=linux \
  --tls_certificate=ca.pem --tls_client_certificate=c.pem --tls_client_key='my key.pem'
query --remote_header=not=this
`, settings{
			headers:  []remote.Header{{Name: "x-api-key", Value: "abc"}, {Name: "a", Value: "with space"}},
			platform: []string{"OSFamily=linux"}, executor: "grpcs://remote.example.com", instance: "main",
			tls: remote.TLS{CA: "ca.pem", Cert: "c.pem", Key: "my key.pem"},
		}},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := readSettings(path); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %+v, %v", c.text, got, err)
		}
	}
	for text, want := range map[string]string{
		"a=b\ns3cr3t\n":                              "line 2: a header is NAME=VALUE",
		"na me=s3cr3t":                               "line 1: the name of a header",
		"a=s3cr3t\xff":                               "line 1: the header a has a value",
		"build --remote_header=s3cr3t":               "line 1: a header is NAME=VALUE",
		"build '--remote_header=a=s3cr3t":            "line 1: a quotation mark has no end",
		"build --remote_header=a=s3cr3t\x01":         "line 1: the header a has a value",
		"build --remote_header 's3c r3t=s3cr3t' --x": "line 1: the name of a header",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := readSettings(path)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestWithoutSecrets(t *testing.T) {
	got := WithoutSecrets([]string{"reduce", "--remote-header", "a=s3cr3t", "--remote-header=b: s3cr3t", "--remote-header",
		"s3cr3t", "--remote-header-file", "f=g", "--remote", "a=b"})
	want := []string{"reduce", "--remote-header", "a=HIDDEN", "--remote-header=b=HIDDEN", "--remote-header", "=HIDDEN",
		"--remote-header-file", "f=g", "--remote", "a=b"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
