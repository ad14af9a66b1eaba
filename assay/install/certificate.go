package install

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"net"
	"os"
	"path/filepath"
	"time"

	"assay.dev/platform/certificate"
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
	made, err := certificate.Make(c, authority)
	if err != nil {
		return err
	}
	public, secret, err := certificate.PEM(made)
	if err != nil {
		return err
	}
	if err := writeNew(file+".key", secret); err != nil {
		return err
	}
	return writeNew(file+".crt", public)
}
