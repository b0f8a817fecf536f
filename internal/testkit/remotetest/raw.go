package remotetest

import (
	"fmt"

	"google.golang.org/grpc/mem"
)

// raw is a codec that passes messages unchanged.
type raw struct{}

func (raw) Name() string { return "proto" }

func (raw) Marshal(v any) (mem.BufferSlice, error) {
	message, ok := v.(*[]byte)
	if !ok {
		return nil, fmt.Errorf("not bytes: %T", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(*message)}, nil
}

func (raw) Unmarshal(data mem.BufferSlice, v any) error {
	message, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("not bytes: %T", v)
	}
	*message = data.Materialize()
	return nil
}
