package remotetest

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Fault is what a proxy does to one call. The zero Fault does nothing.
type Fault struct {
	Refuse codes.Code    // the server never sees the call
	Lose   bool          // the server gets the call; no answer comes back, but the end of the stream
	Delay  time.Duration // before each answer
	Cut    bool          // the stream ends after the first answer
	Twice  bool          // each answer comes twice, where the call may have many
	Swap   bool          // an answer comes after the one that follows it, where the call may have many
}

// Proxy stands between clients and a server, and knows nothing of what they say. It may
// be given another server's address, and other credentials, at any time.
type Proxy struct {
	Address string // host:port

	// Plan is asked about each call, by the name of its method; nil plans nothing.
	Plan func(method string) Fault
	// Admit may refuse a caller by what it sends along; nil admits all.
	Admit func(metadata.MD) error
	// Seen is shown each message of a client; nil does not look.
	Seen func(method string, message []byte)

	target *grpc.ClientConn
	tls    *tls.Config

	lock        sync.Mutex
	server      *grpc.Server
	connections map[net.Conn]bool
}

// NewProxy starts a proxy in front of the server at the address. With a TLS
// configuration it wants TLS of its clients. It ends with the test.
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

// Open listens, again after Close.
func (p *Proxy) Open() error {
	listener, err := net.Listen("tcp", p.Address)
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

// Present closes all connections, and from now on presents another certificate.
func (p *Proxy) Present(config *tls.Config) error {
	p.Close()
	p.tls = config
	return p.Open()
}

// Close refuses connections from now on, and breaks those there are.
func (p *Proxy) Close() {
	p.lock.Lock()
	server := p.server
	p.server = nil
	p.lock.Unlock()
	if server != nil {
		server.Stop()
	}
}

// Break breaks all connections, and returns how many.
func (p *Proxy) Break() int {
	p.lock.Lock()
	defer p.lock.Unlock()
	for c := range p.connections {
		if tcp, ok := c.(*net.TCPConn); ok {
			tcp.SetLinger(0) // the client gets a reset, no orderly end
		}
		c.Close()
	}
	n := len(p.connections)
	clear(p.connections)
	return n
}

// watched is a listener whose connections the proxy knows.
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

// known is a connection that the proxy knows until it is closed.
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

// forward is a call, whichever.
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
				return // the answers say why
			}
		}
	}()
	err = fault.answer(server, client)
	client.SetTrailer(server.Trailer())
	return err
}

// errCut is how a stream ends that is cut.
var errCut = status.Error(codes.Unavailable, "cut by the test's proxy")

// answer passes the answers on, as the fault wants.
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
