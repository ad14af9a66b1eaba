package openapi

import (
	"reflect"

	"assay.dev/contracts"
)

// delivery is the request that a webhook gets (contract §4.21).
func delivery(s *schemas) object {
	var sent []object
	for _, h := range []struct{ name, text string }{
		{"webhook-id", "The id of the change. The same change may come twice."},
		{"webhook-timestamp", "Seconds since 1970. Refuse what is older than five minutes."},
		{"webhook-signature", "v1 and an HMAC-SHA256 by the secret, by Standard Webhooks 1.0; two after a rotation."},
	} {
		sent = append(sent, object{"name": h.name, "in": "header", "required": true, "description": h.text,
			"schema": object{"type": "string"}})
	}
	return object{
		"operationId": "receiveChange", "tags": []string{serviceTag}, "summary": "A change, sent to your webhook",
		"description": "In one of the type webhook.test, source is empty, and before and after are null.",
		"security":    []object{}, "parameters": sent,
		"requestBody": object{"required": true, "content": object{
			"application/json": object{"schema": s.of(reflect.TypeFor[contracts.Change]())},
		}},
		"responses": object{
			"2XX": object{"description": "You have it."},
			"410": object{"description": "You want no more: the webhook is disabled."},
		},
	}
}
