package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"image"
	"image/color"
	"image/png"

	"github.com/troupe-mcp/troupe"
)

// What the public conformance suite expects of a server, by its names.

// nothing is the input of tools and prompts without arguments.
type nothing struct{}

// textTool is a tool without arguments that answers with a fixed text.
func textTool(name, description, text string) troupe.Feature {
	return contentTool(name, description, troupe.Text(text))
}

// contentTool is a tool without arguments that answers with fixed content.
func contentTool(name, description string, content ...troupe.Content) troupe.Feature {
	return troupe.Tool(troupe.ToolInfo{Name: name, Description: description},
		func(context.Context, troupe.Call, nothing) ([]troupe.Content, error) { return content, nil })
}

func suiteTools() []troupe.Feature {
	picture, sound := troupe.Image(redPixel(), "image/png"), troupe.Audio(silence(), "audio/wav")
	embedded := troupe.Embedded(troupe.ResourceContents{
		URI: "test://embedded-resource", MIMEType: "text/plain", Text: "This is an embedded resource content.",
	})
	return []troupe.Feature{
		textTool("test_simple_text", "Answers with a fixed text.", "This is a simple text response for testing."),
		contentTool("test_image_content", "Answers with an image.", picture),
		contentTool("test_audio_content", "Answers with a sound.", sound),
		contentTool("test_embedded_resource", "Answers with an embedded resource.", embedded),
		contentTool("test_multiple_content_types", "Answers with text, an image and a resource.",
			troupe.Text("Multiple content types test:"), picture, embedded),
		troupe.Tool(troupe.ToolInfo{Name: "test_error_handling", Description: "Always reports a tool error."},
			func(context.Context, troupe.Call, nothing) (string, error) {
				return "", troupe.ToolError("This tool intentionally returns an error for testing.")
			}),
		troupe.Tool(troupe.ToolInfo{
			Name: "json_schema_2020_12_tool", Description: "Has an input schema with many keywords.", InputSchema: suiteSchema,
		}, func(_ context.Context, _ troupe.Call, in map[string]any) (string, error) {
			text, err := json.Marshal(in)
			return string(text), err
		}),
		textTool("test_reconnection", "Answers with a text, without closing the stream first.", "Reconnection test completed."),
		troupe.Tool(troupe.ToolInfo{
			Name: "test_missing_capability", Description: "Needs a client that can sample.",
			Requires: troupe.ClientCapabilities{Sampling: true},
		}, func(context.Context, troupe.Call, nothing) (string, error) { return "The client can sample.", nil }),
		textTool("test_streaming_elicitation", "Answers at once.", "Nothing was asked."),
		textTool("test_logging_tool", "Answers without logging to the client.", "Nothing was logged."),
	}
}

var suiteSchema = json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",` +
	`"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},` +
	`"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},` +
	`"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},` +
	`"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],` +
	`"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},` +
	`"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}`)

// redPixel is a PNG of one red pixel.
func redPixel() []byte {
	img := image.NewRGBA(image.Rect(0, 0, 1, 1))
	img.Set(0, 0, color.RGBA{R: 255, A: 255})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err) // an image of our own, into memory
	}
	return b.Bytes()
}

// silence is a WAV file of one silent sample.
func silence() []byte {
	const rate, width = 8000, 1
	b := []byte("RIFF")
	b = binary.LittleEndian.AppendUint32(b, 36+width)
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	b = binary.LittleEndian.AppendUint16(b, 1) // PCM
	b = binary.LittleEndian.AppendUint16(b, 1) // mono
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, rate*width)
	b = binary.LittleEndian.AppendUint16(b, width)
	b = binary.LittleEndian.AppendUint16(b, 8*width)
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, width)
	return append(b, 128)
}

type templateVars struct {
	ID string `json:"id"`
}

func suiteResources() []troupe.Feature {
	return []troupe.Feature{
		textResource(troupe.ResourceInfo{
			URI: "test://static-text", Name: "Static text", Description: "A text that never changes.", MIMEType: "text/plain",
		}, "This is the content of the static text resource."),
		troupe.Resource(troupe.ResourceInfo{
			URI: "test://static-binary", Name: "Static binary", Description: "A picture that never changes.", MIMEType: "image/png",
		}, func(context.Context, troupe.Call) (troupe.ResourceContents, error) {
			return troupe.ResourceContents{Blob: redPixel()}, nil
		}),
		textResource(troupe.ResourceInfo{
			URI: "test://watched-resource", Name: "Watched resource", Description: "A text to subscribe to.", MIMEType: "text/plain",
		}, "This is the content of the watched resource."),
		troupe.ResourceTemplate(troupe.ResourceInfo{
			URI: "test://template/{id}/data", Name: "Template", Description: "Data for an id.", MIMEType: "application/json",
		}, func(_ context.Context, _ troupe.Call, vars templateVars) (troupe.ResourceContents, error) {
			text, err := json.Marshal(map[string]any{"id": vars.ID, "templateTest": true, "data": "Data for ID: " + vars.ID})
			return troupe.ResourceContents{Text: string(text)}, err
		}),
	}
}

func textResource(info troupe.ResourceInfo, text string) troupe.Feature {
	return troupe.Resource(info, func(context.Context, troupe.Call) (troupe.ResourceContents, error) {
		return troupe.ResourceContents{Text: text}, nil
	})
}

type twoArguments struct {
	Arg1 string `json:"arg1" jsonschema:"first argument"`
	Arg2 string `json:"arg2" jsonschema:"second argument"`
}

type uriArgument struct {
	URI string `json:"resourceUri" jsonschema:"URI of the resource to embed"`
}

func suitePrompts() []troupe.Feature {
	return []troupe.Feature{
		troupe.Prompt(troupe.PromptInfo{Name: "test_simple_prompt", Description: "A prompt without arguments."},
			func(context.Context, troupe.Call, nothing) ([]troupe.PromptMessage, error) {
				return say("This is a simple prompt for testing."), nil
			}),
		troupe.Prompt(troupe.PromptInfo{Name: "test_prompt_with_arguments", Description: "A prompt with two arguments."},
			func(_ context.Context, _ troupe.Call, args twoArguments) ([]troupe.PromptMessage, error) {
				return say("Prompt with arguments: arg1='" + args.Arg1 + "', arg2='" + args.Arg2 + "'"), nil
			}),
		troupe.Prompt(troupe.PromptInfo{Name: "test_prompt_with_embedded_resource", Description: "A prompt that embeds a resource."},
			func(_ context.Context, _ troupe.Call, args uriArgument) ([]troupe.PromptMessage, error) {
				return []troupe.PromptMessage{
					troupe.UserMessage(troupe.Embedded(troupe.ResourceContents{
						URI: args.URI, MIMEType: "text/plain", Text: "Embedded resource content for testing.",
					})),
					troupe.UserMessage(troupe.Text("Please process the embedded resource above.")),
				}, nil
			}),
		troupe.Prompt(troupe.PromptInfo{Name: "test_prompt_with_image", Description: "A prompt with an image."},
			func(context.Context, troupe.Call, nothing) ([]troupe.PromptMessage, error) {
				return []troupe.PromptMessage{
					troupe.UserMessage(troupe.Image(redPixel(), "image/png")),
					troupe.UserMessage(troupe.Text("Please analyze the image above.")),
				}, nil
			}),
	}
}

// say returns a prompt of one text.
func say(text string) []troupe.PromptMessage {
	return []troupe.PromptMessage{troupe.UserMessage(troupe.Text(text))}
}
