package sandbox

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"assay.dev/platform/certificate"
)

const (
	caFile  = "sandbox-ca.pem"
	keyFile = "sandbox-ca.key"
)

// openAuthority reads the authority that is stored in dir. When there is none, or it has expired, it makes one there.
// It is for the sandbox alone, and signs a certificate for the hosts that the sandbox plays and for no others. A client
// trusts it only when it is given its certificate, such as by SSL_CERT_FILE.
func openAuthority(dir string) (tls.Certificate, error) {
	a, err := tls.LoadX509KeyPair(filepath.Join(dir, caFile), filepath.Join(dir, keyFile))
	if err == nil && a.Leaf.IsCA && time.Now().Before(a.Leaf.NotAfter.AddDate(0, -1, 0)) {
		return a, nil
	}
	a, err = certificate.Make(x509.Certificate{
		Subject:  pkix.Name{Organization: []string{"Assay sandbox"}, CommonName: "Assay sandbox throwaway CA"},
		NotAfter: time.Now().AddDate(5, 0, 0), IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}, nil)
	if err != nil {
		return a, fmt.Errorf("make a certificate authority: %w", err)
	}
	return a, writeAuthority(a, dir)
}

// EnsureAuthority makes an authority in dir for a sandbox, unless dir holds one that has not expired.
func EnsureAuthority(dir string) error {
	_, err := openAuthority(dir)
	return err
}

func writeAuthority(a tls.Certificate, dir string) error {
	public, secret, err := certificate.PEM(a)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, keyFile), secret, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, caFile), public, 0o644)
}

// certify makes a certificate for each host.
func certify(a *tls.Certificate, sites map[string]http.Handler) (all []tls.Certificate, err error) {
	for host := range sites {
		c, err := certificate.Make(x509.Certificate{
			Subject: pkix.Name{CommonName: host}, DNSNames: []string{host}, NotAfter: a.Leaf.NotAfter,
			KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		}, a)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}
