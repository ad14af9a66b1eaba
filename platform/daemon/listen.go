package daemon

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// CheckAddress returns an error, which names the setting, when address is not of the form host:port.
func CheckAddress(setting, address string) error {
	if _, err := net.ResolveTCPAddr("tcp", address); err != nil {
		return fmt.Errorf("%s=%s: want host:port", setting, address)
	}
	return nil
}

// Listen opens a TCP address. Its error names the setting that holds the address, and says what to do.
func Listen(setting, address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s=%s: the port is taken by another process; stop it or set %s to another address",
			setting,
			address, setting)
	default:
		return nil, fmt.Errorf("%s=%s: %w", setting, address, err)
	}
}
