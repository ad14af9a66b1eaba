package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"assay.dev/contracts"
	"assay.dev/gateway/exhibit"
	"assay.dev/gateway/kept"
	"assay.dev/gateway/packet"
	"assay.dev/platform/kv"
	"assay.dev/platform/telemetry"
)

// maxPacketRequest bounds the body that asks for a packet, in bytes.
const maxPacketRequest = 16 << 10

// makingPacket is the endpoint of packets for carriers (contract §4.16).
var makingPacket = &Endpoint{
	Path: "/v1/ltl/audits/{id}/packet", ID: "makePacket", Method: "POST", MediaType: packet.MediaType,
	Summary: "A packet for a carrier: the letter, the disputed lines, the documents",
	Description: "A ZIP of what a carrier billed too much by a kept audit and may still be contested: `letter.html`, " +
		"which prints, `lines.csv` (`test-` before it with a test key), each kept document once, `manifest.json` with " +
		"hashes, and `VERIFY.txt`, which says how to check it offline. The same audit and body make the same bytes while " +
		"the same documents are kept; one that is kept no longer is named in the manifest. 422 where nothing is to contest. " +
		"It is free.",
	Parameters: []*Parameter{auditID.Parameter}, Failures: []*Failure{NoAudit, MalformedBody, NotAcceptable,
		UnsupportedMediaType},
	Upload: &Upload{
		MaxBytes: maxPacketRequest, Forms: []Form{{"application/json", packet.MediaType, maxPacketRequest,
			"The carrier, and who claims."}},
		Body: bodyType[packet.Request]()[0],
	},
	Document: "PK", Answer: makePacket,
}

func makePacket(ctx context.Context, a *API, r *Request) (Reply, error) {
	var asked packet.Request
	if err := readObject(r.Body, "carrier", "no request for a packet", &asked); err != nil {
		return Reply{}, err
	}
	p, write, err := a.Packet(ctx, r.owner(), r.Products, auditID.of(r), asked)
	if err != nil {
		return Reply{}, err
	}
	return Reply{MediaType: packet.MediaType, Write: write, Headers: PacketHeaders(p)}, nil
}

// PacketHeaders go with the bytes of a packet, which is saved.
func PacketHeaders(p *packet.Packet) []Header {
	return append([]Header{{"Content-Disposition", fmt.Sprintf(`attachment; filename="%s.zip"`, p.Name())}},
		documentHeaders...)
}

// Packet makes the packet of a tenant's audit. Its documents are there, or it says why not, before write begins.
func (a *API) Packet(
	ctx context.Context, o kept.Owner, products []contracts.Product, id string, asked packet.Request,
) (p *packet.Packet, write func(io.Writer) error, err error) {
	ctx, span := telemetry.StartSpan(ctx, "assay.dev/gateway/api", "packet.make")
	defer span.End()
	made, err := a.Audits.Get(ctx, o, id, time.Now())
	if err != nil {
		return nil, nil, err
	}
	name, err := a.carrierName(ctx, o.Environment, asked.Carrier)
	if err != nil {
		return nil, nil, err
	}
	if p, err = packet.New(made, asked, name, o.Environment == contracts.Test); err != nil {
		return nil, nil, err
	}
	read := func(e contracts.Evidence) (*packet.Kept, error) {
		d, err := a.KeptDocument(ctx, o.Environment, products, e.SHA256, e.At)
		if err != nil {
			return nil, err
		}
		return &packet.Kept{Body: d.Body, ReadAt: d.ReadAt, Path: d.Path,
			Extension: exhibit.Extension(d.Header["Content-Type"])}, nil
	}
	write = func(w io.Writer) error {
		if err := p.Write(w, read); ctx.Err() == nil { // a caller that hung up is not our failure
			return err
		}
		return nil
	}
	return p, write, p.Find(read)
}

// carrierName is how a carrier calls itself; empty where no worker has described it.
func (a *API) carrierName(ctx context.Context, env contracts.Environment, c contracts.Carrier) (string, error) {
	if _, err := contracts.ParseCarrier(string(c)); err != nil {
		return "", nil // which the packet refuses
	}
	entry, _, err := kv.Get(ctx, a.Catalog.bucket, contracts.ListingKey(env, contracts.LTL, string(c)))
	if err != nil {
		return "", contracts.Wrap(err, contracts.SourceUnavailable, "what is known of carriers cannot be "+
			"read just now; retry later").After(workerRetry)
	}
	var l contracts.CarrierListing
	_ = json.Unmarshal(entry, &l) // none, and one of another version, is as good as not described
	return l.Name, nil
}
