package gateway

import "assay.dev/gateway/answers"

// health tells that the gateway answers and the key is good (contract §4.1).
func health(_ *gateway, e *exchange) (reply, error) {
	if err := e.parameters().err(nil); err != nil {
		return reply{}, err
	}
	return healthy, nil
}

var healthy = reply{body: []byte(`{"status":"ok"}`), etag: answers.ETag([]byte(`{"status":"ok"}`))}
