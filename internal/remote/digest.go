package remote

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"io"
	"os"
	"slices"
	"strings"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/protobuf/proto"

	"whittle/oracle"
)

// A digest has a hexadecimal hash.
type digest struct {
	hash string
	size int64
}

func (d digest) Proto() *repb.Digest { return &repb.Digest{Hash: d.hash, SizeBytes: d.size} }

// fromProto returns the zero digest for nil.
func fromProto(d *repb.Digest) digest { return digest{d.GetHash(), d.GetSizeBytes()} }

type digestFunction struct {
	value repb.DigestFunction_Value
	make  func() hash.Hash
}

// digestFunctions are in order of preference.
var digestFunctions = []digestFunction{
	{repb.DigestFunction_SHA256, sha256.New},
	{repb.DigestFunction_SHA384, sha512.New384},
	{repb.DigestFunction_SHA512, sha512.New},
	{repb.DigestFunction_SHA1, sha1.New},
	{repb.DigestFunction_MD5, md5.New},
}

// chooseFunction returns the first function that both services support, by default SHA-256. An empty list means any.
// Without a common function, the cache's list counts.
func chooseFunction(execution, cache []repb.DigestFunction_Value) (digestFunction, error) {
	theirs := slices.DeleteFunc(slices.Clone(execution), func(f repb.DigestFunction_Value) bool {
		return len(cache) > 0 && !slices.Contains(cache, f)
	})
	if len(theirs) == 0 {
		theirs = cache
	}
	for _, f := range digestFunctions {
		if len(theirs) == 0 || slices.Contains(theirs, f.value) {
			return f, nil
		}
	}
	var names []string
	for _, f := range theirs {
		names = append(names, f.String())
	}
	return digestFunction{}, oracle.Errorf("the cluster hashes files by %s only, which whittle does not; "+
		"configure it to take SHA256, too", strings.Join(names, ", "))
}

type blob struct {
	digest
	data []byte
	path string // of a file of the user, read when it is sent
}

func (f *digestFunction) blob(data []byte) blob {
	h := f.make()
	h.Write(data)
	return blob{digest: digest{hex.EncodeToString(h.Sum(nil)), int64(len(data))}, data: data}
}

func (f *digestFunction) message(m proto.Message) blob {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(err) // UTF-8 was checked earlier
	}
	return f.blob(data)
}

func (f *digestFunction) file(path string) (blob, error) {
	file, err := os.Open(path)
	if err != nil {
		return blob{}, err
	}
	defer file.Close()
	h := f.make()
	size, err := io.Copy(h, file)
	return blob{digest: digest{hex.EncodeToString(h.Sum(nil)), size}, path: path}, err
}

func (b *blob) open() (io.ReadCloser, error) {
	if b.path == "" {
		return io.NopCloser(bytes.NewReader(b.data)), nil
	}
	return os.Open(b.path)
}
