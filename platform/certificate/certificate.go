// Package certificate makes keys with their certificates: authorities of our own, and what they sign.
package certificate

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"time"
)

// Make makes a key and its certificate, which the authority signs; without one (nil) it signs itself. Its serial number
// is random, and it is good from an hour ago on, for clocks that are behind.
func Make(c x509.Certificate, authority *tls.Certificate) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	if c.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127)); err != nil {
		return tls.Certificate{}, err
	}
	c.NotBefore = time.Now().Add(-time.Hour)
	made := tls.Certificate{PrivateKey: key}
	parent, signer := &c, any(key)
	if authority != nil {
		parent, signer, made.Certificate = authority.Leaf, authority.PrivateKey, authority.Certificate
	}
	der, err := x509.CreateCertificate(rand.Reader, &c, parent, &key.PublicKey, signer)
	if err != nil {
		return tls.Certificate{}, err
	}
	made.Certificate = append([][]byte{der}, made.Certificate...)
	made.Leaf, err = x509.ParseCertificate(der)
	return made, err
}

// PEM is a certificate without its authority's, and its key, as files hold them.
func PEM(c tls.Certificate) (public, secret []byte, err error) {
	key, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	public = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificate[0]})
	return public, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), err
}
