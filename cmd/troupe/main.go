package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// version is that of the command and of the reference server (serverInfo).
const version = "0.1.0"

// The exit statuses.
const (
	exitOK      = 0
	exitFailure = 1 // listening, serving or stopping failed
	exitUsage   = 2 // command line or configuration
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // so that a second signal ends the process
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
}

// errLogged stands for a failure that the log has told already.
var errLogged = errors.New("see the log")

// run is the whole program: it returns the exit status and ends when ctx does.
func run(ctx context.Context, args, env []string, stdout, stderr io.Writer) int {
	err := command(env, args, stdout, stderr).ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errLogged):
		return exitFailure
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintln(stderr, "troupe: "+strings.TrimPrefix(strings.TrimRight(line, "\n"), "troupe: "))
	}
	return exitUsage
}

func command(env, args []string, stdout, stderr io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:               "troupe",
		Short:             "Troupe is an MCP server runtime for Go",
		Version:           version,
		SilenceErrors:     true,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.DisableSuggestions = true
	root.AddCommand(serveCommand(env, stdout, stderr))
	root.SetArgs(append([]string{}, args...)) // cobra reads those of the process where nil is set
	root.SetOut(stdout)
	root.SetErr(stderr)
	return root
}

func serveCommand(env []string, stdout, stderr io.Writer) *cobra.Command {
	serve := &cobra.Command{
		Use:   "serve",
		Short: "Run the reference server",
		Long: "Run the reference server. Every flag is also a key of the YAML file that --config names and an environment\n" +
			"variable (TROUPE_MAX_BODY for --max-body); flag beats environment beats file beats default.",
		Example: "  troupe serve --listen 127.0.0.1:8080 --admin 127.0.0.1:9090\n  TROUPE_SLOTS=8 troupe serve --config troupe.yaml --print-config",
		Args:    cobra.NoArgs,
	}
	declareFlags(serve.Flags())
	serve.RunE = func(cmd *cobra.Command, _ []string) error {
		config, err := loadConfiguration(cmd.Flags(), env)
		if err != nil {
			return err
		}
		if config.print {
			return config.write(stdout)
		}
		return serveUntil(cmd.Context(), config.settings, stderr)
	}
	return serve
}
