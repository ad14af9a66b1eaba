// Package manifest reads what Kubernetes manifests give to containers in their environment.
package manifest

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// Container is a container of a workload.
type Container struct {
	// Workload is its kind and name, such as Deployment/gateway.
	Workload string
	// Image is the last part of the image's name without its tag: gateway for registry.example.com/assay/gateway:1.0.0.
	Image string
	// Variables are in the order in which they are written; those of an envFrom come first.
	Variables []Variable
	// Files holds the texts of the ConfigMaps that the pod mounts.
	Files []string
}

// Variable is an environment variable. The value is empty when a Secret or the cluster gives it.
type Variable struct{ Name, Value string }

type object struct {
	Kind     string
	Metadata struct{ Name string }
	Data     map[string]string
	Spec     struct {
		Template    podTemplate
		JobTemplate struct {
			Spec struct{ Template podTemplate }
		} `yaml:"jobTemplate"`
	}
}

type podTemplate struct {
	Spec struct {
		InitContainers []container `yaml:"initContainers"`
		Containers     []container
		Volumes        []struct {
			ConfigMap struct{ Name string } `yaml:"configMap"`
		}
	}
}

type container struct {
	Name, Image string
	Env         []Variable
	EnvFrom     []struct {
		ConfigMapRef struct{ Name string } `yaml:"configMapRef"`
		SecretRef    struct{ Name string } `yaml:"secretRef"`
	} `yaml:"envFrom"`
}

// Containers lists the containers of all workloads in a stream of YAML documents, such as `kustomize build` writes.
func Containers(r io.Reader) ([]Container, error) {
	objects, err := decode(r)
	if err != nil {
		return nil, err
	}
	data := map[string]map[string]string{} // of ConfigMaps and Secrets, by kind and name
	for _, o := range objects {
		data[o.Kind+"/"+o.Metadata.Name] = o.Data
	}
	var all []Container
	for _, o := range objects {
		for _, pod := range []podTemplate{o.Spec.Template, o.Spec.JobTemplate.Spec.Template} {
			for _, c := range append(pod.Spec.InitContainers, pod.Spec.Containers...) {
				all = append(all, Container{
					Workload: o.Kind + "/" + o.Metadata.Name, Image: imageName(c.Image),
					Variables: append(c.imported(data), c.Env...), Files: pod.files(data),
				})
			}
		}
	}
	if all == nil {
		return nil, errors.New("no container in the manifests")
	}
	return all, nil
}

func decode(r io.Reader) ([]object, error) {
	var all []object
	for d := yaml.NewDecoder(r); ; {
		var o object
		err := d.Decode(&o)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("manifest %d: %w", len(all)+1, err)
		}
		all = append(all, o)
	}
}

// imported are the variables of a container's envFrom. Values of Secrets stay out.
func (c container) imported(data map[string]map[string]string) []Variable {
	var all []Variable
	for _, from := range c.EnvFrom {
		configMap := data["ConfigMap/"+from.ConfigMapRef.Name]
		for _, name := range slices.Sorted(maps.Keys(configMap)) {
			all = append(all, Variable{name, configMap[name]})
		}
		for _, name := range slices.Sorted(maps.Keys(data["Secret/"+from.SecretRef.Name])) {
			all = append(all, Variable{Name: name})
		}
	}
	return all
}

func (p podTemplate) files(data map[string]map[string]string) []string {
	var texts []string
	for _, v := range p.Spec.Volumes {
		for _, text := range data["ConfigMap/"+v.ConfigMap.Name] {
			texts = append(texts, text)
		}
	}
	return texts
}

func imageName(image string) string {
	name, _, _ := strings.Cut(path.Base(image), "@")
	name, _, _ = strings.Cut(name, ":")
	return name
}

// Mentions tells whether a configuration file of the pod takes the variable, as $NAME, or another variable does, as
// $(NAME).
func (c Container) Mentions(variable string) bool {
	for _, text := range c.Files {
		if mentions(text, variable) {
			return true
		}
	}
	return slices.ContainsFunc(c.Variables, func(v Variable) bool { return strings.Contains(v.Value, "$("+variable+")") })
}

// mentions looks for $NAME that no further character of a name follows.
func mentions(text, variable string) bool {
	return slices.ContainsFunc(strings.Split(text, "$"+variable)[1:], func(after string) bool {
		return after == "" || !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", rune(after[0]))
	})
}
