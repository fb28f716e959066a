// Command hello is the smallest Troupe server: one tool.
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/troupe-mcp/troupe"
)

var versions = []troupe.ProtocolVersion{troupe.V20260728}

type helloIn struct {
	Name string `json:"name" jsonschema:"whom to greet"`
}

func hello(_ context.Context, _ troupe.Call, in helloIn) (string, error) {
	if in.Name == "" {
		return "", troupe.ToolError("name must not be empty")
	}
	return "Hello, " + in.Name + "!", nil
}

func newServer(addr string) (*troupe.Server, error) {
	return troupe.NewServer(troupe.Config{
		Addr: addr,
		Endpoints: []troupe.Endpoint{{
			Path:     "/mcp",
			Info:     troupe.Implementation{Name: "hello", Version: "1.0.0"},
			Versions: versions,
			Features: []troupe.Feature{troupe.For(versions,
				troupe.Tool(troupe.ToolInfo{Name: "hello", Description: "Greets somebody by name."}, hello),
			)},
		}},
	})
}

func main() {
	server, err := newServer("127.0.0.1:8080")
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
