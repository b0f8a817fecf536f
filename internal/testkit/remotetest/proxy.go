package remotetest

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Fault is the fault that a proxy causes in one call. The zero Fault changes nothing.
type Fault struct {
	Refuse codes.Code    // the server never sees the call
	Lose   bool          // the server gets the call, but the stream ends without an answer
	Delay  time.Duration // before each answer
	Cut    bool          // the stream ends after the first answer
	Twice  bool          // each answer is sent twice, if the call may have many
	Swap   bool          // two answers are exchanged, if the call may have many
}

// Proxy is a proxy between clients and a server. It does not interpret messages. Its target and
// certificate may change at any time.
type Proxy struct {
	Address string // host:port

	// Plan, if not nil, returns the fault for a call, by the name of its method.
	Plan func(method string) Fault
	// Admit, if not nil, may refuse a call by its metadata.
	Admit func(metadata.MD) error
	// Seen, if not nil, is called for each message of a client.
	Seen func(method string, message []byte)

	target *grpc.ClientConn
	tls    *tls.Config

	lock        sync.Mutex
	server      *grpc.Server
	connections map[net.Conn]bool
}

// NewProxy starts a proxy for the server at the address, with TLS for clients if config is not
// nil. It ends with the test.
func NewProxy(t testing.TB, target string, config *tls.Config) *Proxy {
	t.Helper()
	connection, err := dial(target)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{target: connection, tls: config, connections: map[net.Conn]bool{}}
	if p.Address, err = freeAddress(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Close()
		connection.Close()
	})
	if err := p.Open(); err != nil {
		t.Fatal(err)
	}
	return p
}

// Open listens, also after Close.
func (p *Proxy) Open() error {
	listener, err := net.Listen("tcp", p.Address)
	for tries := 0; errors.Is(err, syscall.EADDRINUSE) && tries < 50; tries++ { // a client's connection has the port
		time.Sleep(100 * time.Millisecond)
		listener, err = net.Listen("tcp", p.Address)
	}
	if err != nil {
		return err
	}
	options := []grpc.ServerOption{grpc.UnknownServiceHandler(p.forward), grpc.ForceServerCodecV2(raw{}),
		grpc.MaxRecvMsgSize(64 << 20)}
	if p.tls != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(p.tls)))
	}
	server := grpc.NewServer(options...)
	p.lock.Lock()
	p.server = server
	p.lock.Unlock()
	go server.Serve(watched{listener, p})
	return nil
}

// Present closes all connections and changes the certificate.
func (p *Proxy) Present(config *tls.Config) error {
	p.Close()
	p.tls = config
	return p.Open()
}

// Close breaks all connections and refuses new ones.
func (p *Proxy) Close() {
	p.lock.Lock()
	server := p.server
	p.server = nil
	p.lock.Unlock()
	if server != nil {
		server.Stop()
	}
}

// Break breaks all connections, and returns their number.
func (p *Proxy) Break() int {
	p.lock.Lock()
	defer p.lock.Unlock()
	for c := range p.connections {
		if tcp, ok := c.(*net.TCPConn); ok {
			tcp.SetLinger(0) // a reset instead of an orderly end
		}
		c.Close()
	}
	n := len(p.connections)
	clear(p.connections)
	return n
}

type watched struct {
	net.Listener
	proxy *Proxy
}

func (w watched) Accept() (net.Conn, error) {
	c, err := w.Listener.Accept()
	if err != nil {
		return nil, err
	}
	w.proxy.lock.Lock()
	defer w.proxy.lock.Unlock()
	w.proxy.connections[c] = true
	return known{c, w.proxy}, nil
}

type known struct {
	net.Conn
	proxy *Proxy
}

func (k known) Close() error {
	k.proxy.lock.Lock()
	delete(k.proxy.connections, k.Conn)
	k.proxy.lock.Unlock()
	return k.Conn.Close()
}

func (p *Proxy) forward(_ any, client grpc.ServerStream) error {
	method, _ := grpc.MethodFromServerStream(client)
	sent, _ := metadata.FromIncomingContext(client.Context())
	if p.Admit != nil {
		if err := p.Admit(sent); err != nil {
			return err
		}
	}
	var fault Fault
	if p.Plan != nil {
		fault = p.Plan(method)
	}
	if fault.Refuse != codes.OK {
		return status.Error(fault.Refuse, "refused by the test's proxy")
	}
	ctx, stop := context.WithCancel(metadata.NewOutgoingContext(client.Context(), sent.Copy()))
	defer stop()
	both := &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}
	server, err := grpc.NewClientStream(ctx, both, p.target, method, grpc.ForceCodecV2(raw{}),
		grpc.MaxCallRecvMsgSize(64<<20), grpc.WaitForReady(false))
	if err != nil {
		return err
	}
	go func() {
		for {
			var message []byte
			if err := client.RecvMsg(&message); errors.Is(err, io.EOF) {
				server.CloseSend()
				return
			} else if err != nil {
				stop()
				return
			}
			if p.Seen != nil {
				p.Seen(method, message)
			}
			if server.SendMsg(&message) != nil {
				return // the answers have the reason
			}
		}
	}()
	err = fault.answer(server, client)
	client.SetTrailer(server.Trailer())
	return err
}

var errCut = status.Error(codes.Unavailable, "cut by the test's proxy")

func (f Fault) answer(server grpc.ClientStream, client grpc.ServerStream) error {
	var held [][]byte
	for first := true; ; first = false {
		var message []byte
		err := server.RecvMsg(&message)
		time.Sleep(f.Delay)
		if f.Lose || f.Cut && !first {
			return errCut
		}
		if err == nil && f.Swap && len(held) == 0 {
			held = append(held, message)
			continue
		}
		if err == nil {
			held = append([][]byte{message}, held...)
		}
		for _, m := range held {
			if sendErr := client.SendMsg(&m); sendErr != nil {
				return sendErr
			}
			if f.Twice {
				if sendErr := client.SendMsg(&m); sendErr != nil {
					return sendErr
				}
			}
		}
		held = nil
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
