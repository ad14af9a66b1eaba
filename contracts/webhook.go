package contracts

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// EndpointsBucket has, by environment, hash of a tenant and id, an endpoint of the tenant's webhooks: its address, its
// sealed secrets, its place in [ChangesStream] and what is to be tried again; by environment and hash of a tenant, what
// endpoints there are.
var EndpointsBucket = Bucket{Name: "ASSAY_ENDPOINTS", MaxBytes: 64 << 20, History: 1, Exact: true, Purged: true}

// OwnerKey names a tenant of an environment in keys of buckets.
func OwnerKey(env Environment, tenant string) string {
	sum := sha256.Sum256([]byte(tenant))
	return string(env) + "." + hex.EncodeToString(sum[:16])
}

// DeliveriesStream keeps what became of each attempt to deliver, for seven days, the newest thousand of an endpoint.
var DeliveriesStream = Stream{
	Name: "ASSAY_DELIVERIES", Subjects: []string{"assay.v1.*.deliveries.*.*"},
	MaxAge: 7 * 24 * time.Hour, MaxBytes: 128 << 20, DedupWindow: 2 * time.Minute, PerSubject: 1000,
}

// DeliverySubject is where the courier notes what became of a delivery to the endpoint of a key of [EndpointsBucket].
func DeliverySubject(key string) Subject {
	env, rest, _ := strings.Cut(key, ".")
	return subject(Environment(env), "deliveries.", rest, "{endpoint}")
}

// The keys in [FlightsBucket] under which the courier that delivers, and the gateway that looks licenses of portfolios
// up, say that they do.
const (
	CourierLease = "courier"
	ConfirmLease = "confirm"
)

// WebhookTest is the type of an event that tries an endpoint. It is in no feed.
const WebhookTest ChangeType = "webhook.test"
