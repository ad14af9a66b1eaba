package share

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay.dev/contracts"
)

// lists are what delinquent lists say of a license for whom a delivery was judged.
type lists struct {
	Holds   []contracts.Hold         `json:"holds"`
	Checked []contracts.HoldsChecked `json:"holds_checked"`
	// first is the place of the first list among the claim's documents, and readAt when each was read.
	first  int
	readAt []time.Time
}

// addLists adds what the lists of a delivery say. Without each list of its state the record alone would read as if
// nothing stood against it.
func (c *Claim) addLists(d contracts.Delivery) error {
	l := &lists{Holds: d.Holds, first: len(c.Evidence)}
	for _, rule := range contracts.DeliveryRules {
		if rule.State != contracts.State(c.Source) || rule.List == "" {
			continue
		}
		i := slices.IndexFunc(d.HoldsChecked,
			func(h contracts.HoldsChecked) bool { return h.List == rule.List && len(h.Evidence) == 1 })
		if i < 0 {
			return invalid("answer", "a verdict on a delivery rests on the delinquent list %s too, of which the answer names "+
				"no document: ask /v1/abc/license, and share what the register says alone", rule.List)
		}
		l.Checked = append(l.Checked, contracts.HoldsChecked{List: rule.List})
		c.Evidence = append(c.Evidence, d.HoldsChecked[i].Evidence[0])
	}
	c.lists, l.readAt = l, make([]time.Time, len(l.Checked))
	return nil
}

// listOf is the place of a document's list; negative for a document of another kind.
func (c *Claim) listOf(document int) int {
	if c.lists == nil {
		return -1
	}
	return document - c.lists.first
}

// IsShown tells whether the row that counts stands in a document: in the first, or a list.
func (c *Claim) IsShown(document int) bool { return document == 0 || c.listOf(document) >= 0 }

// listsInWords are sentences on the lists, and on a law that needs none.
func (c *Claim) listsInWords() (text string) {
	if c.lists == nil {
		return ""
	}
	for i, l := range c.lists.Checked {
		says := "does not name it"
		if k := slices.IndexFunc(c.lists.Holds, func(h contracts.Hold) bool { return h.List == l.List }); k >= 0 {
			says = strings.TrimSuffix("names it since "+string(c.lists.Holds[k].Since), " since ")
			if c.lists.Holds[k].Exempt {
				says += ", exempt as in bankruptcy"
			}
		}
		text += fmt.Sprintf(" The delinquent list %s that was read on %s %s.", l.List,
			c.lists.readAt[i].UTC().Format(time.DateOnly), says)
	}
	for _, r := range contracts.DeliveryRules {
		if r.State == contracts.State(c.Source) && r.List == "" {
			text += map[bool]string{true: " By law nobody has credit for malt beverages.",
				false: " The state publishes no delinquent list."}[r.Means == contracts.CashOnly]
		}
	}
	return text
}
