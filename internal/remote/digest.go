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

	"whittle/internal/environment"
)

// A digest names a blob: the hash of its bytes, in hexadecimal digits, and their number.
type digest struct {
	hash string
	size int64
}

// Proto returns the digest as messages have it.
func (d digest) Proto() *repb.Digest { return &repb.Digest{Hash: d.hash, SizeBytes: d.size} }

// fromProto returns the digest that a message has; nil is the zero digest.
func fromProto(d *repb.Digest) digest { return digest{d.GetHash(), d.GetSizeBytes()} }

// A digestFunction hashes blobs as a server wants it.
type digestFunction struct {
	value repb.DigestFunction_Value
	make  func() hash.Hash
}

// digestFunctions are those we have, the one to be preferred first.
var digestFunctions = []digestFunction{
	{repb.DigestFunction_SHA256, sha256.New},
	{repb.DigestFunction_SHA384, sha512.New384},
	{repb.DigestFunction_SHA512, sha512.New},
	{repb.DigestFunction_SHA1, sha1.New},
	{repb.DigestFunction_MD5, md5.New},
}

// chooseFunction returns the first of ours that the server has; one that does not say what
// it has is taken to have SHA-256.
func chooseFunction(theirs []repb.DigestFunction_Value) (digestFunction, error) {
	if len(theirs) == 0 {
		return digestFunctions[0], nil
	}
	for _, f := range digestFunctions {
		if slices.Contains(theirs, f.value) {
			return f, nil
		}
	}
	var names []string
	for _, f := range theirs {
		names = append(names, f.String())
	}
	return digestFunction{}, environment.Errorf("the cluster hashes files by %s only, which whittle does not; "+
		"configure it to take SHA256, too", strings.Join(names, ", "))
}

// A blob is bytes with their digest: in memory, or in a file of the user.
type blob struct {
	digest
	data []byte
	path string // of a file, which is read when it is sent
}

// blob returns that of some bytes.
func (f *digestFunction) blob(data []byte) blob {
	h := f.make()
	h.Write(data)
	return blob{digest: digest{hex.EncodeToString(h.Sum(nil)), int64(len(data))}, data: data}
}

// message returns the blob that a message is.
func (f *digestFunction) message(m proto.Message) blob {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(err) // a string that is not UTF-8 is refused where it comes from
	}
	return f.blob(data)
}

// file returns the blob of a file.
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

// open returns what reads the bytes.
func (b *blob) open() (io.ReadCloser, error) {
	if b.path == "" {
		return io.NopCloser(bytes.NewReader(b.data)), nil
	}
	return os.Open(b.path)
}
