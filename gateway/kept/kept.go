package kept

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"assay.dev/contracts"
	"assay.dev/gateway/share"
	"assay.dev/platform/webhook"
)

// Kept is all that tenants keep: contracts, audits, portfolios, delinquent lists, webhooks and shared proofs, and what
// the console keeps of its answers.
type Kept struct {
	Contracts  Contracts
	Audits     Audits
	Replies    Replies
	Portfolios Portfolios
	Holds      Holds
	Webhooks   Webhooks
	Shares     Shares
}

// Open binds the buckets. A sealer that is nil makes no webhooks.
func Open(ctx context.Context, js jetstream.JetStream, sealer *webhook.Sealer) (k Kept, err error) {
	k.Portfolios.js, k.Webhooks.js, k.Webhooks.sealer = js, js, sealer
	err = errors.Join(
		open(ctx, js, &k.Contracts.shelf, shelf[ContractEntry]{
			of: contracts.AgreementsBucket, list: "contracts", name: func(e ContractEntry) string { return e.Name },
			none: "no contract is called %; GET /v1/ltl/contracts lists yours",
		}),
		open(ctx, js, &k.Audits.shelf, shelf[auditEntry]{
			of: contracts.AuditsBucket, list: "audits", name: func(e auditEntry) string { return e.ID },
			none: "no audit with this id is kept; GET /v1/ltl/audits lists yours",
		}),
		open(ctx, js, &k.Replies.shelf, shelf[replyEntry]{
			of: contracts.RepliesBucket, list: "replies", name: func(e replyEntry) string { return e.ID },
			none: fmt.Sprintf("this answer is not kept here, or is no longer: answers are kept for 7 days, the newest %d",
				MaxReplies),
		}),
		open(ctx, js, &k.Portfolios.shelf, shelf[portfolioEntry]{
			of: contracts.PortfoliosBucket, list: "portfolios", name: func(e portfolioEntry) string { return e.Name },
			none: "no portfolio is called %; GET /v1/abc/portfolios lists yours",
		}),
		open(ctx, js, &k.Holds.shelf, shelf[ListEntry]{
			of: contracts.PortfoliosBucket, under: "HOLDS", list: "holds", name: ListEntry.name,
			none: "you have put no such delinquent list here",
		}),
		open(ctx, js, &k.Webhooks.shelf, shelf[webhookEntry]{
			of: contracts.EndpointsBucket, list: "webhooks", name: func(e webhookEntry) string { return e.ID },
			none: "you have no webhook of that id; GET /v1/webhooks lists yours",
		}),
		open(ctx, js, &k.Shares.shelf, shelf[share.ProofEntry]{
			of: contracts.SharesBucket, apart: "proof.", list: "shares", name: func(e share.ProofEntry) string { return e.ID },
			none: "no such proof is shared; GET /v1/shares lists yours",
		}),
	)
	return k, err
}
