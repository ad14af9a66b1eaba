package worker

import (
	"time"

	"assay.dev/contracts"
	"assay.dev/platform/daemon"
	"assay.dev/platform/scrape"
)

// ScrapeConfig is the name under which the settings of package scrape are embedded.
type ScrapeConfig = scrape.Config

// Config holds the settings that the worker of every product has. A worker with further ones embeds it in its Config.
type Config struct {
	Environment contracts.Environment `env:"ASSAY_ENVIRONMENT" envDefault:"live" help:"environment that is served: live or test"`
	daemon.Config
	ScrapeConfig

	EvidenceWait time.Duration `env:"ASSAY_EVIDENCE_WAIT" envDefault:"250ms" help:"how long an answer waits for its documents to be kept; it does not name later ones"`
}

// Shared is the Config itself, by which what embeds it can be changed without knowing its further settings.
func (c *Config) Shared() *Config { return c }
