package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	client "assay.dev/clients/go"
	"assay.dev/contracts"
	"assay.dev/gateway/audit"
)

// packetFlags say whether packets for carriers are made of an audit.
type packetFlags struct {
	Keep    bool   `help:"Keep the result for 90 days; its id is printed on standard error."`
	Packets string `help:"Directory for a packet for each carrier: a ZIP with the letter, the lines that may be contested, and the documents. Keeps the result too." type:"existingdir" placeholder:"DIR"`
	Sender  string `help:"File with who claims, for packets: the name, and then 1 to 6 lines of the address." type:"existingfile" placeholder:"FILE"`
}

// Validate wants both or none.
func (f packetFlags) Validate() error {
	if (f.Packets == "") != (f.Sender == "") {
		return fmt.Errorf("--packets and --sender go together")
	}
	return nil
}

// readSender reads a file of a name and an address.
func readSender(file string) (s client.Sender, err error) {
	text, err := readBounded(file)
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) { // which some editors write
		if line = strings.TrimSpace(line); line != "" {
			s.Address = append(s.Address, line)
		}
	}
	if err == nil && len(s.Address) < 2 {
		err = fmt.Errorf("%s: want a name, and then the lines of its address", file)
	}
	if err != nil {
		return client.Sender{}, err
	}
	s.Name, s.Address = s.Address[0], s.Address[1:]
	return s, nil
}

// disputing are the carriers of results that a packet can be made for.
func disputing(results []audit.Result) (all []contracts.Carrier) {
	today := contracts.Today(time.Now())
	for _, c := range contracts.Carriers {
		if slices.ContainsFunc(results, func(r audit.Result) bool {
			return r.Carrier == string(c) && r.Contestability(today) == audit.Contestable
		}) {
			all = append(all, c)
		}
	}
	return all
}

// writePackets writes the packets of an audit, a file each.
func (f packetFlags) writePackets(ctx context.Context, c *console, api *client.Client, id string,
	carriers []contracts.Carrier) error {
	s, err := readSender(f.Sender)
	if err != nil {
		return err
	}
	for _, carrier := range carriers {
		if err := writePacket(ctx, c, api, id, carrier, s, f.Packets); err != nil {
			return err
		}
	}
	return nil
}

func writePacket(ctx context.Context, c *console, api *client.Client, id string, carrier contracts.Carrier,
	s client.Sender, dir string) error {
	p, err := api.Packet(ctx, id, carrier, s)
	if err != nil {
		return getError(err)
	}
	name := filepath.Join(dir, p.Name)
	if err := writeNew(name, p.Bytes); err != nil {
		return err
	}
	fmt.Fprintln(c.errs, name)
	return nil
}

// getPacketCommand makes a packet of an audit that is kept.
type getPacketCommand struct {
	Audit   string            `arg:"" help:"The audit's id, as assay audit --keep printed it."`
	Carrier contracts.Carrier `arg:"" help:"The carrier's code."`
	Sender  string            `help:"File with who claims: the name, and then 1 to 6 lines of the address." type:"existingfile" required:"" placeholder:"FILE"`
	To      string            `help:"Directory for the ZIP." type:"existingdir" default:"."`
}

// Run makes the packet.
func (p getPacketCommand) Run(ctx context.Context, c *console, g *getCommand) error {
	s, err := readSender(p.Sender)
	if err != nil {
		return err
	}
	api, err := newClient(c, client.Options{URL: g.URL})
	if err != nil {
		return err
	}
	defer api.Close()
	return writePacket(ctx, c, api, p.Audit, contracts.Carrier(strings.ToUpper(string(p.Carrier))), s, p.To)
}
