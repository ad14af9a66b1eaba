package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/nats-io/nats-server/v2/server"

	"assay.dev/assay/install"
	"assay.dev/assay/manifest"
	"assay.dev/contracts"
	"assay.dev/gateway/api"
	"assay.dev/platform/daemon"
)

var overlayNames = []string{"local", "production"}

// builtKustomize is the pinned kustomize. It is built once for all tests of the package.
var builtKustomize = sync.OnceValues(func() (string, error) {
	file := filepath.Join(binaryDir, "kustomize")
	build := exec.Command("go", "build", "-o", file, "sigs.k8s.io/kustomize/kustomize/v5")
	build.Dir, build.Env = "../tools", append(os.Environ(), "GOWORK=off")
	out, err := build.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return file, err
})

// overlays builds deploy/k8s/overlays with the pinned kustomize and secrets of their own, by name.
func overlays(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	kustomize, err := builtKustomize()
	if err != nil {
		t.Fatal(err)
	}
	k8s := filepath.Join(dir, "k8s")
	if err := os.CopyFS(k8s, os.DirFS("../deploy/k8s")); err != nil {
		t.Fatal(err)
	}
	generated := filepath.Join(k8s, "components", "secrets", "generated")
	if err := errors.Join(os.RemoveAll(generated), install.Write(generated, "assay")); err != nil {
		t.Fatal(err)
	}
	built := map[string]string{}
	for _, name := range overlayNames {
		out, err := exec.Command(kustomize, "build", filepath.Join(k8s, "overlays", name)).Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		built[name] = string(out)
	}
	return built
}

func TestTheOverlays(t *testing.T) {
	t.Parallel()
	built := overlays(t)
	for _, name := range overlayNames {
		t.Run(name, func(t *testing.T) {
			containers, err := manifest.Containers(strings.NewReader(built[name]))
			if err != nil {
				t.Fatal(err)
			}
			t.Run("every variable is read", func(t *testing.T) { checkVariables(t, built[name]) })
			t.Run("every value is good", func(t *testing.T) { checkValues(t, name, containers) })
			t.Run("the Job has a name of its version", func(t *testing.T) { checkJob(t, built[name]) })
			t.Run("no webhook reaches the cluster itself", func(t *testing.T) {
				if strings.Contains(built[name], "ASSAY_WEBHOOK_LOOPBACK") {
					t.Error("ASSAY_WEBHOOK_LOOPBACK is for assay up alone")
				}
			})
			t.Run("data outlive the manifests", func(t *testing.T) { checkKept(t, built[name]) })
			t.Run("stores fit their claims", func(t *testing.T) { checkStores(t, built[name]) })
		})
	}
	t.Run("production takes images by digest", func(t *testing.T) { checkDigests(t, built["production"]) })
	t.Run("production samples", func(t *testing.T) {
		containers, err := manifest.Containers(strings.NewReader(built["production"]))
		if err != nil {
			t.Fatal(err)
		}
		checkSampler(t, containers)
	})
}

// checkDigests wants each container's image to be named by what it holds, so that nobody can put another under its tag.
func checkDigests(t *testing.T, manifests string) {
	images := regexp.MustCompile(`(?m)^ +(?:- )?image: (\S+)$`).FindAllStringSubmatch(manifests, -1)
	if len(images) == 0 {
		t.Fatal("no images")
	}
	digest := regexp.MustCompile(`^\S+/assay/[a-z-]+@sha256:[0-9a-f]{64}$`)
	for _, image := range images {
		if !digest.MatchString(image[1]) {
			t.Errorf("%s is not named by digest", image[1])
		}
	}
}

// checkJob wants another Job for each version, with a pod that nothing but the version changes: the pod of a Job is fixed, so an
// apply that changes it fails. Names of generated objects end with a hash of what is in them.
func checkJob(t *testing.T, manifests string) {
	for document := range strings.SplitSeq(manifests, "\n---\n") {
		if !strings.HasPrefix(document, "apiVersion: batch/v1\nkind: Job\n") {
			continue
		}
		if !regexp.MustCompile(`\n  name: provision-[a-z0-9][a-z0-9.-]*[a-z0-9]\n`).MatchString(document) {
			t.Errorf("the Job is not named for a version:\n%s", document)
		}
		_, spec, _ := strings.Cut(document, "\nspec:\n")
		if hashed := regexp.MustCompile(`(?:n|N)ame: \S+-[a-z0-9]{10}\n`).FindString(spec); hashed != "" {
			t.Errorf("the Job's pod changes with %s", hashed)
		}
		return
	}
	t.Error("no Job")
}

// checkKept wants tools that remove what left the manifests, or all of them, to leave what data are in. A claim that nobody
// mounts yet may be pending, so it is in the last of Argo CD's waves: what comes after would wait for it.
func checkKept(t *testing.T, manifests string) {
	holders := regexp.MustCompile(`\nkind: (Namespace|PersistentVolumeClaim)\n`)
	wave := regexp.MustCompile(`argocd.argoproj.io/sync-wave: "(\d+)"`)
	last, claim := "", ""
	for document := range strings.SplitSeq(manifests, "\n---\n") {
		at := ""
		if found := wave.FindStringSubmatch(document); found != nil {
			at = found[1]
		}
		last = max(last, at)
		kind := holders.FindStringSubmatch(document)
		if kind == nil {
			continue
		}
		for _, want := range []string{"argocd.argoproj.io/sync-options: Prune=false,Delete=false", "kustomize.toolkit.fluxcd.io/prune: disabled"} {
			if !strings.Contains(document, want) {
				t.Errorf("the %s lacks %s", kind[1], want)
			}
		}
		if kind[1] == "PersistentVolumeClaim" {
			claim = at
		}
	}
	if claim != last {
		t.Errorf("the claim is in wave %q, the last is %q", claim, last)
	}
}

func checkVariables(t *testing.T, manifests string) {
	var table strings.Builder
	if err := checkManifests(strings.NewReader(manifests), &table); err != nil {
		t.Errorf("%v\n%s", err, &table)
	}
	misspelt := strings.ReplaceAll(manifests, "name: ASSAY_NATS_NKEY_FILE", "name: ASSAY_NATS_KEY_FILE")
	if err := checkManifests(strings.NewReader(misspelt), io.Discard); err == nil {
		t.Error("a misspelt variable passes")
	}
}

// checkValues starts nothing, and reads each container's settings as its program would, but for the files of secrets.
func checkValues(t *testing.T, overlay string, containers []manifest.Container) {
	for _, c := range containers {
		i := slices.IndexFunc(binaries(), func(b binary) bool { return b.name == c.Image })
		if i < 0 {
			continue
		}
		e := daemon.Environ{}
		for _, v := range c.Variables {
			if !strings.HasSuffix(v.Name, "_FILE") {
				e[v.Name] = v.Value
			}
		}
		if overlay == "production" && c.Image == contracts.Gateway {
			refused := binaries()[i].check(e)
			if refused == nil || !strings.HasPrefix(refused.Error(), `ASSAY_TRUSTED_PROXIES: "CHOOSE": want the address ranges`) {
				t.Errorf("nobody has chosen the trusted proxies, and the gateway says %v", refused)
			}
			e["ASSAY_TRUSTED_PROXIES"] = "10.0.0.0/8"
		}
		if err := binaries()[i].check(e); err != nil {
			t.Errorf("%s: %v", c.Workload, err)
		}
		// A stop keeps 3 s for usage events.
		stop, _ := time.ParseDuration(e["ASSAY_STOP_TIMEOUT"])
		if c.Image == contracts.Gateway && stop < api.SlowMaxTime+3*time.Second {
			t.Errorf("%s stops within %s, and an answer may take %s", c.Workload, stop, api.SlowMaxTime)
		}
	}
}

// checkSampler wants one trace in twenty of whatever sends spans.
func checkSampler(t *testing.T, containers []manifest.Container) {
	senders := 0
	for _, c := range containers {
		values := map[string]string{}
		for _, v := range c.Variables {
			values[v.Name] = v.Value
		}
		if values["OTEL_EXPORTER_OTLP_ENDPOINT"] == "" {
			continue
		}
		senders++
		if s, arg := values["OTEL_TRACES_SAMPLER"], values["OTEL_TRACES_SAMPLER_ARG"]; s != "parentbased_traceidratio" || arg != "0.05" {
			t.Errorf("%s samples by %q %q", c.Workload, s, arg)
		}
	}
	if senders != 8 { // the gateway, the courier and three workers of each environment
		t.Errorf("%d deployments send spans, want 8", senders)
	}
}

// checkStores wants a server's store to hold all that the streams may grow to, and to leave a fifth of its volume
// free.
func checkStores(t *testing.T, manifests string) {
	store, claim := storeOf(t, manifests), claimOf(t, manifests)
	if store*5 > claim*4 {
		t.Errorf("max_file_store is %d MiB of a claim of %d MiB, want a fifth to spare", store>>20, claim>>20)
	}
	want := reserved(t)
	t.Logf("streams %d MiB, store %d MiB, claim %d MiB", want>>20, store>>20, claim>>20)
	if want == 0 || store < want {
		t.Errorf("max_file_store is %d MiB, the streams reserve %d MiB", store>>20, want>>20)
	}
	told, err := os.ReadFile("../docs/install.md")
	figure := fmt.Sprintf("all streams together, %.1f GiB", float64(want)/(1<<30))
	if err != nil || !strings.Contains(string(told), figure) {
		t.Errorf("docs/install.md does not say %q, %v", figure, err)
	}
}

// reserved is how many bytes the streams and buckets may grow to: what a server has reserved after provisioning.
func reserved(t *testing.T) int64 {
	t.Helper()
	e := deployment(t)
	must(t, e, "provision", "--first")
	_, js, err := connect(t.Context(), &console{environ: e})
	if err != nil {
		t.Fatal(err)
	}
	defer js.Conn().Close()
	account, err := js.AccountInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return int64(account.ReservedStore)
}

// storeOf is max_file_store of the servers' configuration, as a server reads it.
func storeOf(t *testing.T, manifests string) int64 {
	t.Helper()
	for d := yaml.NewDecoder(strings.NewReader(manifests)); ; {
		var o struct {
			Kind string
			Data map[string]string
		}
		if err := d.Decode(&o); err != nil {
			t.Fatalf("no nats.conf: %v", err)
		}
		_, rest, ok := strings.Cut(o.Data["nats.conf"], "jetstream {")
		if o.Kind != "ConfigMap" || !ok {
			continue
		}
		block, _, _ := strings.Cut(rest, "}")
		block = strings.ReplaceAll(block, "$NATS_STORE", t.TempDir())
		opts := &server.Options{}
		if err := opts.ProcessConfigString("jetstream {" + block + "}"); err != nil {
			t.Fatal(err)
		}
		return opts.JetStreamMaxStore
	}
}

// claimOf is the size of the volume that each server claims.
func claimOf(t *testing.T, manifests string) int64 {
	t.Helper()
	for d := yaml.NewDecoder(strings.NewReader(manifests)); ; {
		var o struct {
			Kind string
			Spec struct {
				VolumeClaimTemplates []struct {
					Spec struct {
						Resources struct{ Requests struct{ Storage string } }
					}
				} `yaml:"volumeClaimTemplates"`
			}
		}
		if err := d.Decode(&o); err != nil {
			t.Fatalf("no claim: %v", err)
		}
		if o.Kind == "StatefulSet" && len(o.Spec.VolumeClaimTemplates) == 1 {
			return gibibytes(t, o.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests.Storage)
		}
	}
}

// gibibytes reads a quantity such as 20Gi.
func gibibytes(t *testing.T, quantity string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.TrimSuffix(quantity, "Gi"), 10, 64)
	if err != nil {
		t.Fatalf("a claim of %s: want a whole number of Gi", quantity)
	}
	return n << 30
}
