package oracle

import "io"

// readTail reads r until its end or an error and returns the last limit bytes.
// It holds no more than twice that.
func readTail(r io.Reader, limit int) []byte {
	buf := make([]byte, 0, 2*limit)
	for {
		if len(buf) == cap(buf) {
			n := copy(buf, buf[len(buf)-limit:])
			buf = buf[:n]
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err != nil {
			return buf[max(0, len(buf)-limit):]
		}
	}
}
