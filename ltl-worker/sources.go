package ltlworker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/ltl-worker/archive"
	"assay.dev/ltl-worker/carrier"
	"assay.dev/ltl-worker/diesel"
	"assay.dev/ltl-worker/edition"
	"assay.dev/ltl-worker/reader"
	"assay.dev/ltl-worker/tariffs"
	"assay.dev/ltl-worker/trust"
	"assay.dev/ltl-worker/weeks"
	"assay.dev/ltl-worker/wording"
	"assay.dev/platform/evidence"
	"assay.dev/platform/kv"
	"assay.dev/platform/scrape"
	"assay.dev/platform/scrape/browser"
)

// Sources is an operator's desk: it tells what is in doubt of the carriers' pages, shows it, and accepts it. It works
// on a deployment's buckets, and writes what is accepted or forgotten, and what ends with that.
type Sources struct {
	wording.Bucket
	js       jetstream.JetStream
	cfg      Config
	archive  *archive.Archive
	editions *edition.Archive
	prices   *diesel.Archive
	kept     *evidence.Store
	log      *slog.Logger
}

// OpenSources opens the desk of cfg.Environment. Pages are read by the rest of cfg.
func OpenSources(ctx context.Context, cfg Config, js jetstream.JetStream, log *slog.Logger) (*Sources, error) {
	bucket, err := wording.OpenBucket(ctx, cfg.Environment, js)
	if err != nil {
		return nil, err
	}
	weeksBucket, err := kv.Open(ctx, js, contracts.WeeksBucket)
	if err != nil {
		return nil, err
	}
	tables, err := kv.Open(ctx, js, contracts.TariffsBucket)
	return &Sources{
		Bucket: bucket, js: js, cfg: cfg.withDefaults(), archive: archive.View(cfg.Environment, js, weeksBucket, log),
		editions: edition.NewArchive(cfg.Environment, js, tables), prices: diesel.NewArchive(cfg.Environment, js, tables),
		kept: evidence.NewStore(js), log: log,
	}, err
}

// SourcePath is what is known of one path to a carrier.
type SourcePath struct {
	Source contracts.Carrier `json:"source"`
	Path   string            `json:"path"`
	// Accepted is when somebody accepted it last, By who did; nil where nobody did.
	Accepted *time.Time     `json:"accepted"`
	By       string         `json:"by,omitempty"`
	Learned  int            `json:"learned_lines"`
	Doubt    *wording.Doubt `json:"doubt,omitempty"`
}

// List lists every path of every carrier.
func (s *Sources) List(ctx context.Context) ([]SourcePath, error) {
	all := []SourcePath{}
	for _, c := range contracts.Carriers {
		known, err := s.known(ctx, c)
		if err != nil {
			return nil, err
		}
		doubts, err := s.Doubts(ctx, c)
		if err != nil {
			return nil, err
		}
		for _, way := range s.cfg.Recipe(c).Ways() {
			p := SourcePath{Source: c, Path: string(way)}
			for _, e := range known.Editions {
				if e.Path == p.Path && (p.Accepted == nil || e.At.After(*p.Accepted)) {
					p.Accepted, p.By = &e.At, e.By
				}
			}
			for _, l := range known.Learned {
				if l.Path == p.Path {
					p.Learned++
				}
			}
			if d, ok := doubts.Paths[p.Path]; ok && (p.Accepted == nil || d.Last.After(*p.Accepted)) {
				p.Doubt = &d
			}
			all = append(all, p)
		}
	}
	return all, nil
}

// known is what is known of a carrier's words, with what this program carries.
func (s *Sources) known(ctx context.Context, c contracts.Carrier) (trust.Wording, error) {
	known, err := s.Known(ctx, c)
	known.Editions = slices.Concat(carrier.Shipped(s.cfg.Environment)(c), known.Editions)
	return known, err
}

// Look is what one path of a carrier shows, judged.
type Look struct {
	Source  contracts.Carrier
	Reading trust.Reading
	Verdict trust.Verdict
	URL     string
	SHA256  string // of the document; "" where it was just read
	ReadAt  time.Time

	known trust.Wording
	past  trust.Past
}

// Edition is what an operator accepts of it.
func (l Look) Edition(by string, at time.Time, figures bool) trust.Edition {
	return trust.NewEdition(l.Reading, by, at, l.SHA256, figures)
}

// After is the verdict once an edition is accepted.
func (l Look) After(e trust.Edition, at time.Time) trust.Verdict {
	w := trust.Wording{Editions: append(slices.Clip(l.known.Editions), e), Learned: l.known.Learned}
	return trust.Judge(l.Reading, w.Known(l.Reading.Path, at), l.past)
}

// InDoubt looks at the documents that the workers doubt of a carrier, on one path or on all for "".
func (s *Sources) InDoubt(ctx context.Context, c contracts.Carrier, path string) ([]Look, error) {
	doubts, err := s.Doubts(ctx, c)
	if err != nil {
		return nil, err
	}
	var looks []Look
	for _, way := range s.cfg.Recipe(c).Ways() {
		d, ok := doubts.Paths[string(way)]
		if !ok || path != "" && path != string(way) {
			continue
		}
		found, err := reader.Found{}, errors.New("it was not kept")
		if d.Document != nil {
			r := &reader.Reader{Recipe: s.cfg.Recipe(c)}
			found, err = r.RereadKept(ctx, s.kept, s.cfg.Environment, *d.Document, way, d.Last)
		}
		if err != nil {
			return nil, fmt.Errorf("the document of %s by %s that the workers doubted: %w: --read reads the site now instead",
				c, way, err)
		}
		look, err := s.judge(ctx, c, found, Look{URL: d.Document.URL, SHA256: d.Document.SHA256, ReadAt: d.Last}, string(way))
		if err != nil {
			return nil, err
		}
		looks = append(looks, look)
	}
	return looks, nil
}

// Read reads a carrier anew, by one path or by all for "". The error tells of the paths that could not be read, beside
// those that could.
func (s *Sources) Read(ctx context.Context, c contracts.Carrier, path string) ([]Look, error) {
	var only []string
	if path != "" {
		only = []string{path}
	}
	report, err := Probe(ctx, s.cfg, c, s.log, only...)
	if err != nil {
		return nil, err
	}
	var looks []Look
	var failed []error
	for _, p := range report.Paths {
		if p.Err != nil {
			failed = append(failed, fmt.Errorf("%s by %s: %w", c, p.Name, p.Err))
			continue
		}
		look, err := s.judge(ctx, c, p.Value, Look{URL: p.EvidenceURL, ReadAt: p.ReadAt}, p.Name)
		if err != nil {
			return nil, err
		}
		looks = append(looks, look)
	}
	return looks, errors.Join(failed...)
}

func (s *Sources) judge(ctx context.Context, c contracts.Carrier, found reader.Found, look Look,
	path string) (Look, error) {
	known, err := s.known(ctx, c)
	if err != nil {
		return look, err
	}
	recipe := s.cfg.Recipe(c)
	j := weeks.Judge{Recipe: recipe, Archive: s.archive,
		Table: tariffs.ViewTable(recipe, s.editions, s.log), Price: s.price}
	look.Source, look.Reading, look.known, look.past = c, found.Trusted(path), known, j.Past(ctx)
	look.Verdict = trust.Judge(look.Reading, known.Known(path, s.cfg.Clock()), look.past)
	return look, nil
}

// price is a national price that a worker has kept.
func (s *Sources) price(ctx context.Context, monday contracts.Date) (usd float64, ok bool) {
	all, err := s.prices.Weeks(ctx)
	i := slices.IndexFunc(all, func(w contracts.DieselWeek) bool { return w.Date == monday })
	if err != nil || i < 0 {
		return 0, false
	}
	return all[i].USD, true
}

// Picture is a PNG of the first page of a carrier as a browser shows it now.
func (s *Sources) Picture(ctx context.Context, c contracts.Carrier) (png []byte, err error) {
	r, closeAll, err := newReader(s.cfg, s.cfg.Recipe(c), s.log)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	_, err = r.Browser.Render(ctx, browser.Request{URL: r.Pages[0], WaitFor: "document.readyState === 'complete'",
		Picture: func(shot []byte) { png = shot }})
	return png, err
}

// Try reads any page, or JSON for way "api", as that of a carrier that is not known, and says what it would answer.
func Try(ctx context.Context, cfg Config, way, url string, log *slog.Logger) (Look, error) {
	cfg = cfg.withDefaults()
	recipe := carrier.Recipe{Code: "try", Pages: []string{url}, API: []carrier.Request{{Method: http.MethodGet, URL: url}}}
	r, closeAll, err := newReader(cfg, recipe, log)
	if err != nil {
		return Look{}, err
	}
	defer closeAll()
	i := slices.IndexFunc(r.Paths(), func(p reader.Path) bool { return p.Name == way })
	if i < 0 {
		return Look{}, fmt.Errorf("there is no path %q", way)
	}
	p := scrape.Probe(ctx, contracts.Today(cfg.Clock()), r.Paths()[i:i+1])[0]
	if p.Err != nil {
		return Look{}, p.Err
	}
	look := Look{Source: recipe.Code, URL: p.EvidenceURL, ReadAt: p.ReadAt, Reading: p.Value.Trusted(p.Name)}
	look.Verdict = trust.Judge(look.Reading, trust.Known{}, trust.Past{})
	return look, nil
}
