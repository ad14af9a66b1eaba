package bustest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"testing"
)

// Ports lie below those that the kernel gives to outgoing connections (32768 and more on Linux): a port of these stays
// free until the server that it is meant for listens, or listens again after a restart.
const (
	lowestPort = 10_000
	ports      = 22_000
)

// handedOut counts the ports that this process was given, beginning with a random one: nothing gets a port twice, and
// processes that test at the same time seldom try the same.
var (
	handedOut atomic.Int64
	firstPort = rand.Int64N(ports)
)

// FreeAddress returns an address of the loopback, such as "127.0.0.1:12345", where nobody listens.
func FreeAddress(t testing.TB) string {
	t.Helper()
	return fmt.Sprintf("127.0.0.1:%d", freePort(t))
}

func freePort(t testing.TB) int {
	t.Helper()
	for range ports {
		port := lowestPort + int((firstPort+handedOut.Add(1))%ports)
		// To listen here would hold the port until a process that another test starts meanwhile has begun: that has a copy
		// of each socket up to then.
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			return port
		}
		_ = c.Close()
	}
	t.Fatal("no port is free")
	return 0
}
