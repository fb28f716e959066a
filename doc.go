// Package troupe is an MCP (Model Context Protocol) server runtime in which
// every request is an actor.
//
// A server with one typed tool:
//
//	type sumIn struct {
//		A int64 `json:"a" jsonschema:"first addend"`
//		B int64 `json:"b" jsonschema:"second addend"`
//	}
//	type sumOut struct {
//		Sum int64 `json:"sum"`
//	}
//
//	func sum(ctx context.Context, call troupe.Call, in sumIn) (sumOut, error) {
//		return sumOut{in.A + in.B}, nil
//	}
//
//	func main() {
//		versions := []troupe.ProtocolVersion{troupe.V20260728}
//		srv, err := troupe.NewServer(troupe.Config{
//			Addr: "127.0.0.1:8080",
//			Endpoints: []troupe.Endpoint{{
//				Path:     "/mcp",
//				Info:     troupe.Implementation{Name: "calc", Version: "1.0.0"},
//				Versions: versions,
//				Features: []troupe.Feature{troupe.For(versions,
//					troupe.Tool(troupe.ToolInfo{Name: "sum", Description: "Adds two integers."}, sum),
//				)},
//			}},
//		})
//		if err != nil {
//			log.Fatal(err)
//		}
//		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
//		defer stop()
//		if err := srv.Run(ctx); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// # Configuring
//
// Config, Limits and Endpoint are plain structs. What must be set is little: an
// endpoint, its Info and its Versions. The zero value of every other field
// works, and says its unit and default. NewServer reports every fault at once, with
// its path.
//
// # Features
//
// Tool, Prompt, Resource, ResourceTemplate, ResourceList and Completer register
// what an endpoint offers; For names the protocol versions of a group of them.
//
// # References
//
// Comments name their source where they repeat a rule: a decision by its number
// or, as in T-05, a numbered requirement of this server's contract, which its
// tests cite at the case that would fail.
//
// # Outcomes
//
// A request is accepted once its message has been classified. Whatever then
// races (result, deadline, the client leaving, shutdown, a panic), it ends in
// exactly one Outcome, and nothing is written after it.
//
// # Shutting down
//
// Run serves until its context ends; see Shutdown for what follows.
package troupe
