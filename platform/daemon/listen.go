package daemon

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// CheckAddress refuses what is not a host:port. The error names the setting.
func CheckAddress(setting, address string) error {
	if _, err := net.ResolveTCPAddr("tcp", address); err != nil {
		return fmt.Errorf("%s=%s: want host:port", setting, address)
	}
	return nil
}

// Listen opens the TCP address that setting holds. The error names the setting and says what to do.
func Listen(setting, address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s=%s: the port is taken by another process; stop it or set %s to another address", setting, address, setting)
	default:
		return nil, fmt.Errorf("%s=%s: %w", setting, address, err)
	}
}
