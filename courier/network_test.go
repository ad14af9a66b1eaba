//go:build linux

package courier

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assay.dev/platform/certificate"
)

// inside is set in the process that has a network of its own.
const inside = "COURIER_TEST_INTERNET"

// inNetworkOfItsOwn runs the test again in a process that has one.
func inNetworkOfItsOwn(t *testing.T) {
	t.Helper()
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	again.Env = append(os.Environ(), inside+"=1")
	again.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	said, err := again.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EINVAL) {
		t.Skipf("this machine lends no network of its own: %v", err)
	}
	if err != nil || !strings.Contains(string(said), "--- PASS: "+t.Name()) {
		t.Fatalf("%v\n%s", err, said)
	}
}

// addresses brings the loopback interface up, with more addresses under these labels.
func addresses(t *testing.T, all map[string]string) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	set := func(label string, request uint, edit func(*unix.Ifreq) error) {
		t.Helper()
		r, err := unix.NewIfreq(label)
		if err == nil {
			err = edit(r)
		}
		if err == nil {
			err = unix.IoctlIfreq(fd, request, r)
		}
		if err != nil {
			t.Fatal(label, err)
		}
	}
	set("lo", unix.SIOCSIFFLAGS, func(r *unix.Ifreq) error { r.SetUint16(unix.IFF_UP); return nil })
	for label, text := range all {
		at := netip.MustParseAddr(text).As4()
		set(label, unix.SIOCSIFADDR, func(r *unix.Ifreq) error { return r.SetInet4Addr(at[:]) })
	}
}

// certified makes a certificate, signed by itself without an authority.
func certified(t *testing.T, authority *tls.Certificate, c x509.Certificate) tls.Certificate {
	t.Helper()
	c.Subject = pkix.Name{CommonName: "test"}
	if c.NotAfter.IsZero() {
		c.NotAfter = time.Now().Add(time.Hour)
	}
	made, err := certificate.Make(c, authority)
	if err != nil {
		t.Fatal(err)
	}
	return made
}
