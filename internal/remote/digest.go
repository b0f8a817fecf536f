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

// A digest names a blob: the hash of its bytes, in hexadecimal digits, and their number.
type digest struct {
	hash string
	size int64
}

// Proto returns the digest as a message.
func (d digest) Proto() *repb.Digest { return &repb.Digest{Hash: d.hash, SizeBytes: d.size} }

// fromProto returns the digest in a message; nil is the zero digest.
func fromProto(d *repb.Digest) digest { return digest{d.GetHash(), d.GetSizeBytes()} }

// A digestFunction hashes blobs as a server wants it.
type digestFunction struct {
	value repb.DigestFunction_Value
	make  func() hash.Hash
}

// digestFunctions are the supported functions, in order of preference.
var digestFunctions = []digestFunction{
	{repb.DigestFunction_SHA256, sha256.New},
	{repb.DigestFunction_SHA384, sha512.New384},
	{repb.DigestFunction_SHA512, sha512.New},
	{repb.DigestFunction_SHA1, sha1.New},
	{repb.DigestFunction_MD5, md5.New},
}

// chooseFunction returns the first supported function that the server has. A server that lists
// none has SHA-256.
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
	return digestFunction{}, oracle.Errorf("the cluster hashes files by %s only, which whittle does not; "+
		"configure it to take SHA256, too", strings.Join(names, ", "))
}

// A blob is bytes with their digest, in memory or in a file of the user.
type blob struct {
	digest
	data []byte
	path string // of a file, which is read when it is sent
}

func (f *digestFunction) blob(data []byte) blob {
	h := f.make()
	h.Write(data)
	return blob{digest: digest{hex.EncodeToString(h.Sum(nil)), int64(len(data))}, data: data}
}

// message returns the blob of a message.
func (f *digestFunction) message(m proto.Message) blob {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(err) // strings that are not UTF-8 are refused earlier
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

// open returns a reader of the bytes.
func (b *blob) open() (io.ReadCloser, error) {
	if b.path == "" {
		return io.NopCloser(bytes.NewReader(b.data)), nil
	}
	return os.Open(b.path)
}
