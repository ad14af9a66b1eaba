package install_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
)

var trigger = regexp.MustCompile(`account: (\S+)\s+stream: (\S+)\s+consumer: (\S+)`)

// KEDA looks for a trigger's consumer in what the servers' monitoring tells of the account, and asks each server
// under the name that it advertises.
func TestScalersFindTheirConsumers(t *testing.T) {
	d := startNATS(t)
	d.provision(t)
	triggers := trigger.FindAllStringSubmatch(read(t, "../../deploy/k8s/components/keda/captcha-worker.yaml"), -1)
	if len(triggers) != 2 {
		t.Fatalf("%d triggers", len(triggers))
	}
	for _, named := range triggers {
		account, stream, consumer := named[1], named[2], named[3]
		told, err := d.server.Jsz(&server.JSzOptions{Account: account, Streams: true, Consumer: true})
		if err != nil {
			t.Fatal(err)
		}
		if !holds(told, account, stream, consumer) {
			t.Errorf("no consumer %s of %s in account %s", consumer, stream, account)
		}
	}
	if set := read(t, filepath.Join(configDir, "statefulset.yaml")); !strings.Contains(set, `NATS_ADVERTISE, value: "$(POD_NAME).nats-peers.$(POD_NAMESPACE).svc:4222"`) {
		t.Error("servers advertise a name that other namespaces cannot resolve")
	}
}

func holds(told *server.JSInfo, account, stream, consumer string) bool {
	for _, a := range told.AccountDetails {
		for _, s := range a.Streams {
			for _, c := range s.Consumer {
				if a.Name == account && s.Name == stream && c.Name == consumer {
					return true
				}
			}
		}
	}
	return false
}
