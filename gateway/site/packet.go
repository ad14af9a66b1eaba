package site

import (
	"net/http"
	"net/url"
	"strings"

	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/gateway/packet"
)

// sendPacket answers with the packet of an audit for a carrier, which the browser saves.
func (s *Site) sendPacket(w http.ResponseWriter, r *Request) error {
	asked := packet.Request{
		Carrier: contracts.Carrier(r.PostForm.Get("packet")),
		Sender:  packet.Sender{Name: strings.TrimSpace(r.PostForm.Get("sender"))},
	}
	for line := range strings.Lines(r.PostForm.Get("address")) {
		if line = strings.TrimSpace(line); line != "" {
			asked.Sender.Address = append(asked.Sender.Address, line)
		}
	}
	if !r.Caller.Allows(contracts.LTL) {
		return s.writeFailedForm(w, r, auditPath,
			contracts.Errorf(contracts.ProductNotEnabled, "this key is not subscribed to the ltl product"))
	}
	id := r.PostForm.Get("id")
	p, write, err := s.API.Packet(r.Context(), owner(r), r.Caller.Products, id, asked)
	if err != nil {
		return s.writeFailedForm(w, r, auditPath+"?"+url.Values{"id": {id}}.Encode()+"#packets-title", err)
	}
	for _, h := range api.PacketHeaders(p) {
		w.Header().Set(h.Name, h.Value)
	}
	w.Header().Set("Content-Type", packet.MediaType)
	w.Header().Set("Cache-Control", privatePolicy)
	return write(w)
}
