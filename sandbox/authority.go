package sandbox

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const (
	caFile  = "sandbox-ca.pem"
	keyFile = "sandbox-ca.key"
)

// authority is a certificate authority for the sandbox alone. It signs certificates for the hosts that the sandbox
// plays and for no others. A client trusts it only when it is given its certificate, such as by SSL_CERT_FILE.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey

	mu     sync.Mutex
	leaves map[string]*tls.Certificate // one for each host that is played
}

// openAuthority reads the authority that is stored in dir. When there is none, or it has expired, it makes one there.
func openAuthority(dir string) (*authority, error) {
	if a, err := readAuthority(dir); err == nil && time.Now().Before(a.cert.NotAfter.AddDate(0, -1, 0)) {
		return a, nil
	}
	a, err := newAuthority()
	if err != nil {
		return nil, fmt.Errorf("make a certificate authority: %w", err)
	}
	return a, a.write(dir)
}

// EnsureAuthority makes an authority in dir for a sandbox, unless dir holds one that has not expired.
func EnsureAuthority(dir string) error {
	_, err := openAuthority(dir)
	return err
}

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()),
		Subject:      pkix.Name{Organization: []string{"Assay sandbox"}, CommonName: "Assay sandbox throwaway CA"},
		NotBefore:    now.Add(-24 * time.Hour), NotAfter: now.AddDate(5, 0, 0),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{cert: cert, key: key, leaves: map[string]*tls.Certificate{}}, nil
}

func readAuthority(dir string) (*authority, error) {
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, caFile), filepath.Join(dir, keyFile))
	if err != nil {
		return nil, err
	}
	key, ok := pair.PrivateKey.(*ecdsa.PrivateKey)
	if !ok || !pair.Leaf.IsCA {
		return nil, fmt.Errorf("%s holds no authority of ours", dir)
	}
	return &authority{cert: pair.Leaf, key: key, leaves: map[string]*tls.Certificate{}}, nil
}

func (a *authority) write(dir string) error {
	key, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	secret := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	if err := os.WriteFile(filepath.Join(dir, keyFile), secret, 0o600); err != nil {
		return err
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
	return os.WriteFile(filepath.Join(dir, caFile), public, 0o644)
}

// leaf returns the certificate of one host, with its chain.
func (a *authority) leaf(host string) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c, ok := a.leaves[host]; ok {
		return c, nil
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()),
		Subject:      pkix.Name{CommonName: host},
		DNSNames:     []string{host},
		NotBefore:    now.Add(-24 * time.Hour), NotAfter: a.cert.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &a.key.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	c := &tls.Certificate{Certificate: [][]byte{der, a.cert.Raw}, PrivateKey: a.key}
	a.leaves[host] = c
	return c, nil
}
