// Renders a chart for a test, as `helm template` does: the same engine (text/template and Sprig) and the same values (numbers as they are
// written, null takes a key away). It differs from Helm in that it knows no subcharts, libraries, `--set`, capabilities of a cluster or
// values.schema.json (the test checks values by it), leaves hooks among the rest, and keeps the order of files.
//
//	render <chart> <release> <namespace> <values.json>
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

// Files are those of the chart beside its templates.
type files struct{ folder string }

func (f files) Get(name string) string {
	text, err := os.ReadFile(filepath.Join(f.folder, name))
	if err != nil {
		return ""
	}
	return string(text)
}

func main() {
	if len(os.Args) != 5 {
		fail(fmt.Errorf("render <chart> <release> <namespace> <values.json>"))
	}
	if err := render(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func render(folder, release, namespace, file string) error {
	chart, err := readYaml(filepath.Join(folder, "Chart.yaml"))
	if err != nil {
		return err
	}
	defaults, err := readYaml(filepath.Join(folder, "values.yaml"))
	if err != nil {
		return err
	}
	own, err := readYaml(file)
	if err != nil {
		return err
	}
	named := values{}
	for key, value := range chart {
		named[strings.ToUpper(key[:1])+key[1:]] = value
	}
	base := named["Name"].(string) + "/templates"
	root := values{
		"Values":       override(defaults, own),
		"Chart":        named,
		"Release":      values{"Name": release, "Namespace": namespace, "Service": "Helm", "IsInstall": true, "IsUpgrade": false, "Revision": 1},
		"Capabilities": values{"KubeVersion": values{"Version": "v1.33.0", "Major": "1", "Minor": "33"}},
		"Files":        files{folder},
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	paths, _ := filepath.Glob(filepath.Join(folder, "templates", "*"))
	sort.Strings(paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := all.New(base + "/" + filepath.Base(path)).Parse(string(text)); err != nil {
			return err
		}
	}
	for _, path := range paths {
		name := base + "/" + filepath.Base(path)
		if strings.HasPrefix(filepath.Base(path), "_") {
			continue
		}
		root["Template"] = values{"Name": name, "BasePath": base}
		var out bytes.Buffer
		if err := all.ExecuteTemplate(&out, name, root); err != nil {
			return err
		}
		// Notes are for people.
		if !strings.HasSuffix(path, ".txt") {
			fmt.Printf("---\n# Source: %s\n%s\n", name, strings.ReplaceAll(out.String(), "<no value>", ""))
		}
	}
	return nil
}

func readYaml(file string) (values, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parse(string(text))
}

func parse(text string) (values, error) {
	read := values{}
	err := yaml.Unmarshal([]byte(text), &read, func(d *json.Decoder) *json.Decoder { d.UseNumber(); return d })
	return read, err
}

func override(defaults, own values) values {
	for key, value := range own {
		under, isMap := defaults[key].(values)
		over, isOwnMap := value.(values)
		switch {
		case value == nil:
			delete(defaults, key)
		case isMap && isOwnMap:
			defaults[key] = override(under, over)
		default:
			defaults[key] = value
		}
	}
	return defaults
}

func functions(all *template.Template) template.FuncMap {
	known := sprig.TxtFuncMap()
	delete(known, "env")
	delete(known, "expandenv")
	known["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	known["tpl"] = func(text string, data interface{}) (string, error) {
		clone := template.Must(all.Clone())
		var out bytes.Buffer
		part, err := clone.New("tpl").Parse(text)
		if err == nil {
			err = part.Execute(&out, data)
		}
		return out.String(), err
	}
	known["toYaml"] = func(value interface{}) string {
		text, _ := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n")
	}
	known["fromYaml"] = func(text string) values {
		read, err := parse(text)
		if err != nil {
			return values{"Error": err.Error()}
		}
		return read
	}
	known["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return value, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	known["fail"] = func(message string) (string, error) { return "", fmt.Errorf("%s", message) }
	known["lookup"] = func(string, string, string, string) values { return values{} }
	return known
}
