// Command notes is a Troupe server over an in-memory store: tools that write
// and search notes, a template that reads one, a list of those that exist, a
// prompt about one, and completion of their titles.
package main

import (
	"context"
	"log"
	"net/url"
	"os"
	"os/signal"
	"syscall"

	"github.com/troupe-mcp/troupe"
)

var versions = []troupe.ProtocolVersion{troupe.V20260728}

const template = "note:///{title}"

type noteIn struct {
	Title string `json:"title" jsonschema:"title of the note, without a slash"`
	Text  string `json:"text" jsonschema:"what to remember"`
}

type titleIn struct {
	Title string `json:"title" jsonschema:"title of the note"`
}

type searchIn struct {
	Text string `json:"text" jsonschema:"what the note must contain"`
}

type searchOut struct {
	Titles []string `json:"titles"`
}

// A notebook is the store with its handlers.
type notebook struct{ store *store }

func (n notebook) write(_ context.Context, _ troupe.Call, in noteIn) (string, error) {
	if in.Title == "" {
		return "", troupe.ToolError("the title must not be empty")
	}
	n.store.put(in.Title, in.Text)
	return "Written.", nil
}

func (n notebook) forget(_ context.Context, _ troupe.Call, in titleIn) (string, error) {
	if !n.store.remove(in.Title) {
		return "", troupe.ToolError("there is no note with that title")
	}
	return "Forgotten.", nil
}

func (n notebook) search(_ context.Context, _ troupe.Call, in searchIn) (searchOut, error) {
	return searchOut{n.store.search(in.Text)}, nil
}

func (n notebook) read(_ context.Context, _ troupe.Call, in titleIn) (troupe.ResourceContents, error) {
	text, ok := n.store.get(in.Title)
	if !ok {
		return troupe.ResourceContents{}, troupe.ErrNotFound
	}
	return troupe.ResourceContents{Text: text}, nil
}

// list is a page of its own making: the notes change, so no static list fits.
func (n notebook) list(_ context.Context, _ troupe.Call, request troupe.ListRequest) (troupe.ResourcePage, error) {
	if !request.First {
		return troupe.ResourcePage{}, troupe.ErrInvalidCursor
	}
	var page troupe.ResourcePage
	for _, title := range n.store.titles("") {
		page.Resources = append(page.Resources, troupe.ListedResource{
			URI: "note:///" + url.PathEscape(title), Name: title, MIMEType: "text/plain",
		})
	}
	return page, nil
}

func (n notebook) summarize(_ context.Context, _ troupe.Call, args titleIn) ([]troupe.PromptMessage, error) {
	text, ok := n.store.get(args.Title)
	if !ok {
		return nil, &troupe.Error{Code: 1, Message: "there is no note with that title"}
	}
	return []troupe.PromptMessage{
		troupe.UserMessage(troupe.Embedded(troupe.ResourceContents{
			URI: "note:///" + url.PathEscape(args.Title), MIMEType: "text/plain", Text: text,
		})),
		troupe.UserMessage(troupe.Text("Summarize this note in one sentence.")),
	}, nil
}

func (n notebook) complete(_ context.Context, _ troupe.Call, request troupe.CompletionRequest) (troupe.Completion, error) {
	titles := n.store.titles(request.Value)
	return troupe.Completion{Values: titles, Total: len(titles)}, nil
}

func newServer(addr string, n notebook) (*troupe.Server, error) {
	return troupe.NewServer(troupe.Config{
		Addr:           addr,
		RequestLimiter: troupe.AllowAllRequests(), // completers need one
		Endpoints: []troupe.Endpoint{{
			Path:         "/mcp",
			Info:         troupe.Implementation{Name: "notes", Version: "1.0.0"},
			Versions:     versions,
			Instructions: "Write notes with write_note, find them with search_notes, read them as note:///TITLE.",
			Features: []troupe.Feature{troupe.For(versions,
				troupe.Tool(troupe.ToolInfo{Name: "write_note", Description: "Writes a note, replacing one of the same title."}, n.write),
				troupe.Tool(troupe.ToolInfo{Name: "forget_note", Description: "Removes a note."}, n.forget),
				troupe.Tool(troupe.ToolInfo{Name: "search_notes", Description: "Finds notes by their text."}, n.search),
				troupe.ResourceTemplate(troupe.ResourceInfo{
					URI: template, Name: "note", Description: "A note by its title.", MIMEType: "text/plain",
				}, n.read),
				troupe.ResourceList(troupe.ListInfo{}, n.list),
				troupe.Prompt(troupe.PromptInfo{Name: "summarize", Description: "Asks for a summary of a note."}, n.summarize),
				troupe.Completer(troupe.CompleterInfo{Template: template, Argument: "title"}, n.complete),
				troupe.Completer(troupe.CompleterInfo{Prompt: "summarize", Argument: "title"}, n.complete),
			)},
		}},
	})
}

func main() {
	server, err := newServer("127.0.0.1:8080", notebook{newStore()})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
