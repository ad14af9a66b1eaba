package usage

import (
	"crypto/rand"
	"sync"
	"time"

	"assay.dev/contracts"
)

// testedEvery is how often answers to test keys become an event: they may be many, and cost nothing.
const testedEvery = 10 * time.Second

// tested counts answers to test keys that are no event yet.
type tested struct {
	mu     sync.Mutex
	counts map[testedOf]int
}

type testedOf struct {
	tenant  string
	product contracts.Product
	date    contracts.Date // UTC
}

// ReportTest counts an answer to a test key.
func (p *Publisher) ReportTest(tenant string, product contracts.Product, at time.Time) {
	t := &p.tested
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = map[testedOf]int{}
	}
	t.counts[testedOf{tenant, product, contracts.DateOf(at.UTC())}]++
}

// reportTested makes events of what was counted.
func (p *Publisher) reportTested() {
	p.tested.mu.Lock()
	counts := p.tested.counts
	p.tested.counts = nil
	p.tested.mu.Unlock()
	for of, n := range counts {
		p.Report(Event{ID: rand.Text(), Tenant: of.tenant, Product: of.product, Tested: n, TestedAt: of.date.Time()})
	}
}
