package install_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goccy/go-yaml"

	"assay.dev/assay/install"
)

// policy is what matters here of a NetworkPolicy.
type policy struct {
	Kind     string
	Metadata struct{ Name string }
	Spec     struct {
		PodSelector map[string]any `yaml:"podSelector"`
		PolicyTypes []string       `yaml:"policyTypes"`
		Egress      []rule
	}
}

type rule struct {
	To    []peer
	Ports []struct {
		Port    any
		EndPort int `yaml:"endPort"`
	}
}

type peer struct {
	NamespaceSelector *selector `yaml:"namespaceSelector"`
	PodSelector       *selector `yaml:"podSelector"`
	IPBlock           any       `yaml:"ipBlock"`
}

type selector struct {
	MatchLabels map[string]string `yaml:"matchLabels"`
}

// A name server of somebody's own is a way out for data, so port 53 is open to the cluster's DNS alone, for every
// pod.
func TestOverlaysAskOnlyTheClusterForNames(t *testing.T) {
	for _, overlay := range []string{"local", "production"} {
		t.Run(overlay, func(t *testing.T) {
			policies := networkPolicies(t, build(t, overlay))
			if len(policies) < 5 {
				t.Fatalf("%d policies", len(policies))
			}
			for _, name := range namesOpen(policies) {
				t.Errorf("policy %s opens port 53 to more than the cluster's DNS", name)
			}
			for _, name := range []string{"default-deny", "dns"} {
				i := slices.IndexFunc(policies, func(p policy) bool { return p.Metadata.Name == name })
				if i < 0 || len(policies[i].Spec.PodSelector) > 0 || !slices.Contains(policies[i].Spec.PolicyTypes, "Egress") {
					t.Errorf("the policy %s does not hold for the egress of every pod", name)
				}
			}
		})
	}
}

// The check finds what it is for: policies that are open, each in another way.
func TestOpenPoliciesAreFound(t *testing.T) {
	for name, egress := range map[string]string{
		"to anybody":        `{ports: [{port: 53, protocol: UDP}]}`,
		"every port":        `{to: [{ipBlock: {cidr: 0.0.0.0/0}}]}`,
		"a range":           `{to: [{ipBlock: {cidr: 0.0.0.0/0}}], ports: [{port: 50, endPort: 60}]}`,
		"by name":           `{to: [{ipBlock: {cidr: 0.0.0.0/0}}], ports: [{port: dns}]}`,
		"all of a space":    `{to: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: kube-system}}}], ports: [{port: 53}]}`,
		"that pod anywhere": `{to: [{namespaceSelector: {}, podSelector: {matchLabels: {k8s-app: kube-dns}}}], ports: [{port: 53}]}`,
	} {
		text := "kind: NetworkPolicy\nmetadata: {name: open}\nspec: {podSelector: {}, policyTypes: [Egress], egress: [" + egress + "]}\n"
		if found := namesOpen(networkPolicies(t, []byte(text))); !slices.Equal(found, []string{"open"}) {
			t.Errorf("%s is not found", name)
		}
	}
}

// namesOpen are the names of policies that let a pod reach port 53 of anything but the cluster's DNS.
func namesOpen(policies []policy) (open []string) {
	for _, p := range policies {
		if slices.ContainsFunc(p.Spec.Egress, func(r rule) bool { return r.includesDNS() && !r.onlyToClusterDNS() }) {
			open = append(open, p.Metadata.Name)
		}
	}
	return open
}

// includesDNS says that port 53 may be among the rule's: it is unless all ports are other numbers.
func (r rule) includesDNS() bool {
	for _, p := range r.Ports {
		first, numbered := p.Port.(uint64)
		if !numbered || first <= 53 && 53 <= max(first, uint64(p.EndPort)) {
			return true
		}
	}
	return len(r.Ports) == 0
}

func (r rule) onlyToClusterDNS() bool {
	for _, to := range r.To {
		if to.IPBlock != nil || !to.NamespaceSelector.is("kubernetes.io/metadata.name", "kube-system") || !to.PodSelector.is("k8s-app", "kube-dns") {
			return false
		}
	}
	return len(r.To) > 0
}

func (s *selector) is(label, value string) bool {
	return s != nil && maps.Equal(s.MatchLabels, map[string]string{label: value})
}

func networkPolicies(t *testing.T, manifests []byte) (policies []policy) {
	t.Helper()
	for decoder := yaml.NewDecoder(bytes.NewReader(manifests)); ; {
		var p policy
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return policies
		case err != nil:
			t.Fatal(err)
		case p.Kind == "NetworkPolicy":
			policies = append(policies, p)
		}
	}
}

// build is an overlay as it is applied, with secrets of its own.
func build(t *testing.T, overlay string) []byte {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../deploy/k8s")); err != nil {
		t.Fatal(err)
	}
	secrets := filepath.Join(dir, "components/secrets/generated")
	if err := errors.Join(os.RemoveAll(secrets), install.Write(secrets, "assay")); err != nil {
		t.Fatal(err)
	}
	kustomize := exec.CommandContext(t.Context(), "go", "tool", "kustomize", "build", filepath.Join(dir, "overlays", overlay))
	kustomize.Dir, kustomize.Env = "../../tools", append(os.Environ(), "GOWORK=off")
	var complaints bytes.Buffer
	kustomize.Stderr = &complaints
	manifests, err := kustomize.Output()
	if err != nil {
		t.Fatalf("kustomize: %v\n%s", err, &complaints)
	}
	return manifests
}
