package main

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/troupe-mcp/troupe"
)

var itemNumbers = [...]string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// itemText is the content of an item.
func itemText(n int) string {
	name := strconv.Itoa(n)
	if n >= 1 && n <= len(itemNumbers) {
		name = itemNumbers[n-1]
	}
	return "item " + name + ": the quick brown fox jumps over the lazy dog"
}

// items are the exact resources mem://item/1 to mem://item/n, and a blob where
// there is more than one.
func items(n int) []troupe.Feature {
	features := make([]troupe.Feature, 0, n+1)
	for i := 1; i <= n; i++ {
		features = append(features, textResource(troupe.ResourceInfo{
			URI: fmt.Sprintf("mem://item/%d", i), Name: fmt.Sprintf("item-%d", i), Description: "An item in memory.", MIMEType: "text/plain",
		}, itemText(i)))
	}
	if n == 1 {
		return features
	}
	return append(features, troupe.Resource(troupe.ResourceInfo{
		URI: "mem://blob/1", Name: "blob-1", Description: "64 bytes in memory.", MIMEType: "application/octet-stream", Size: 64,
	}, func(context.Context, troupe.Call) (troupe.ResourceContents, error) {
		return troupe.ResourceContents{Blob: bytes.Repeat([]byte{0xA5}, 64)}, nil
	}))
}

// mostItems is how many items the template knows.
const mostItems = 100

func itemTemplate() []troupe.Feature {
	const template = "mem://item/{id}"
	return []troupe.Feature{
		troupe.ResourceTemplate(troupe.ResourceInfo{
			URI: template, Name: "item", Description: "An item by its number, 1 to 100.", MIMEType: "text/plain",
		}, func(_ context.Context, _ troupe.Call, vars templateVars) (troupe.ResourceContents, error) {
			n, err := strconv.Atoi(vars.ID)
			if err != nil || n < 1 || n > mostItems {
				return troupe.ResourceContents{}, troupe.ErrNotFound
			}
			return troupe.ResourceContents{Text: itemText(n)}, nil
		}),
		troupe.Completer(troupe.CompleterInfo{Template: template, Argument: "id"}, suggest(numbers(mostItems))),
	}
}

func numbers(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strconv.Itoa(i + 1)
	}
	return texts
}

type greetArgs struct {
	Name string `json:"name" jsonschema:"whom to greet"`
}

func prompts() []troupe.Feature {
	return []troupe.Feature{
		troupe.Prompt(troupe.PromptInfo{Name: "greet", Description: "Asks for a greeting."},
			func(_ context.Context, _ troupe.Call, args greetArgs) ([]troupe.PromptMessage, error) {
				return say("Write a short greeting for " + args.Name + "."), nil
			}),
		troupe.Prompt(troupe.PromptInfo{Name: "plain", Description: "A prompt without arguments."},
			func(context.Context, troupe.Call, nothing) ([]troupe.PromptMessage, error) {
				return say("Say something nice."), nil
			}),
		troupe.Completer(troupe.CompleterInfo{Prompt: "greet", Argument: "name"}, suggest(names())),
	}
}

// names are 200 made-up names.
func names() []string {
	first := []string{"Al", "Be", "Ca", "Da", "El", "Fa", "Gi", "Ha", "Io", "Ju", "Ka", "Li", "Ma", "No", "Or", "Pa", "Ro", "Sa", "Ta", "Vi"}
	second := []string{"ba", "den", "fia", "gor", "lia", "mon", "na", "ris", "to", "vin"}
	all := make([]string, 0, len(first)*len(second))
	for _, a := range first {
		for _, b := range second {
			all = append(all, a+b)
		}
	}
	return all
}

// suggest completes a value to those of the texts that begin with it.
func suggest(texts []string) func(context.Context, troupe.Call, troupe.CompletionRequest) (troupe.Completion, error) {
	return func(_ context.Context, _ troupe.Call, request troupe.CompletionRequest) (troupe.Completion, error) {
		var found []string
		for _, text := range texts {
			if strings.HasPrefix(strings.ToLower(text), strings.ToLower(request.Value)) {
				found = append(found, text)
			}
		}
		return troupe.Completion{Values: found, Total: len(found)}, nil
	}
}
