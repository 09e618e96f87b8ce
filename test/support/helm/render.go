// Renders a Helm chart as Helm does: text/template with Sprig's functions and those of Helm that charts use. Prints a
// JSON object of the rendered files by name. Usage: render <chart> <JSON of the values> <JSON of chart and release>
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(chart, values, context string) error {
	data := map[string]any{}
	if err := json.Unmarshal([]byte(context), &data); err != nil {
		return err
	}
	// Helm reads numbers of the chart's own values as text, and those of a file of `-f` as floating point ones.
	decoder := json.NewDecoder(strings.NewReader(values))
	decoder.UseNumber()
	var own, ofFile map[string]any
	if err := decoder.Decode(&own); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(values), &ofFile); err != nil {
		return err
	}

	all := template.New("chart").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	for _, name := range []string{"env", "expandenv"} {
		delete(functions, name)
	}
	// JSON is YAML.
	functions["toYaml"] = func(value any) (string, error) {
		text, err := json.Marshal(value)
		return string(text), err
	}
	functions["include"] = func(name string, value any) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, value)
		return text.String(), err
	}
	functions["required"] = func(message string, value any) (any, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	all.Funcs(functions)

	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := all.New(filepath.Base(path)).Parse(string(text)); err != nil {
			return err
		}
	}
	render := func(values map[string]any) (map[string]string, error) {
		data["Values"] = values
		rendered := map[string]string{}
		for _, path := range paths {
			name := filepath.Base(path)
			if strings.HasPrefix(name, "_") {
				continue
			}
			var text bytes.Buffer
			if err := all.ExecuteTemplate(&text, name, data); err != nil {
				return nil, err
			}
			rendered[name] = text.String()
		}
		return rendered, nil
	}
	rendered, err := render(own)
	if err != nil {
		return err
	}
	renderedOfFile, err := render(ofFile)
	if err != nil {
		return err
	}
	for name, text := range rendered {
		if renderedOfFile[name] != text {
			return fmt.Errorf("%s differs if the values come from a file:\n%s", name, renderedOfFile[name])
		}
	}
	return json.NewEncoder(os.Stdout).Encode(rendered)
}
