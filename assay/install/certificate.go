package install

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// How long the certificates are good.
const (
	authorityYears = 10
	serverYears    = 2
)

// writeCertificates makes an authority, and one certificate for all NATS servers. The certificate holds every name
// by which a server is called inside the cluster, such as nats.assay.svc. It does nothing when there is a
// certificate.
func writeCertificates(dir, namespace string) error {
	if _, err := os.Stat(filepath.Join(dir, "tls.crt")); err == nil {
		return nil
	}
	authority, err := openAuthority(dir)
	if err != nil {
		return err
	}
	services := []string{"nats", "*.nats-peers"}
	names := []string{"localhost"}
	for _, s := range services {
		names = append(names, s, s+"."+namespace, s+"."+namespace+".svc", s+"."+namespace+".svc.cluster.local")
	}
	return writePair(filepath.Join(dir, "tls"), x509.Certificate{
		Subject: pkix.Name{CommonName: "nats"}, DNSNames: names, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotAfter: time.Now().AddDate(serverYears, 0, 0), KeyUsage: x509.KeyUsageDigitalSignature,
		// A server connects to the other servers as a client.
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}, &authority)
}

// openAuthority reads the authority in dir, and creates it when there is none.
func openAuthority(dir string) (tls.Certificate, error) {
	file := filepath.Join(dir, "ca")
	if _, err := os.Stat(file + ".crt"); os.IsNotExist(err) {
		if err := writePair(file, x509.Certificate{
			Subject: pkix.Name{CommonName: "Assay NATS authority"}, NotAfter: time.Now().AddDate(authorityYears, 0, 0),
			IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
		}, nil); err != nil {
			return tls.Certificate{}, err
		}
	}
	return tls.LoadX509KeyPair(file+".crt", file+".key")
}

// writePair creates a private key in FILE.key and its certificate in FILE.crt. The authority signs the certificate;
// without one (nil) the certificate signs itself.
func writePair(file string, c x509.Certificate, authority *tls.Certificate) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	if c.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127)); err != nil {
		return err
	}
	c.NotBefore = time.Now().Add(-time.Hour)
	parent, signer := &c, any(key)
	if authority != nil {
		parent, signer = authority.Leaf, authority.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, &c, parent, &key.PublicKey, signer)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	if err := writeNew(file+".key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})); err != nil {
		return err
	}
	return writeNew(file+".crt", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}
