// Package mcp serves permctl's one tool over the Model Context Protocol: the one
// that Claude Code calls, with --permission-prompt-tool, where it would ask a person.
//
// It decides nothing: a call is the event of Claude Code's hooks that says the same,
// and whatever the hook does not answer with an allow is a deny.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/permctl/permctl/internal/input"
)

// Tool is the tool's name. Behind a server that is called permctl, Claude Code
// knows it as mcp__permctl__approve.
const Tool = "approve"

// A Hook function returns what permctl's hook for Claude Code writes on its standard
// output about an event. An error is a refusal that has no such answer, and its text
// is the reason. It is called for several events at once.
type Hook func(ctx context.Context, event []byte) ([]byte, error)

// maxFrame is the size in bytes of the largest message. It is more than that of the
// largest call, so that arguments that are too large still get an answer.
const maxFrame = input.MaxCall + 4<<20

// Serve answers what comes in, a message of the protocol a line, until that ends
// or ctx does, and with it all calls that still wait. It may then leave a goroutine
// behind that reads. Nothing but messages is written.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string, hook Hook) error {
	server := mcp.NewServer(
		&mcp.Implementation{Name: "permctl", Title: "permctl", Version: version},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}},
	)
	no := false
	server.AddTool(&mcp.Tool{
		Name:  Tool,
		Title: "Permission to call a tool",
		Description: "Says whether the rules of the user of this machine allow a call of a tool. Claude Code calls this by itself " +
			"(--permission-prompt-tool). It only answers: it runs nothing, and a call that it is asked about is no more allowed " +
			"afterwards than before. There is no use in calling it for a model.",
		InputSchema: json.RawMessage(schema),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
	}, func(waits context.Context, call *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		waits, end := context.WithCancelCause(waits)
		defer end(nil)
		defer context.AfterFunc(ctx, func() { end(context.Cause(ctx)) })() // else the server would wait for it
		text := approve(waits, call.Params.Arguments, hook)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, nil
	})
	err := server.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: open{out}, MaxLineLength: maxFrame})
	if !errors.Is(err, io.EOF) && ctx.Err() == nil {
		return err
	}
	return nil // whoever started it has had enough
}

// An open is a stream that stays so.
type open struct{ io.Writer }

func (open) Close() error { return nil }

// approve returns the text that answers a call of the tool. A refusal is a result,
// too, for that is how Claude Code knows it from a tool that is broken.
func approve(ctx context.Context, arguments []byte, hook Hook) (text []byte) {
	defer func() {
		if p := recover(); p != nil {
			text = undecided(fmt.Errorf("panic: %v", p))
		}
	}()
	event, given, err := payload(arguments)
	if err != nil {
		return undecided(err)
	}
	answer, err := hook(ctx, event)
	switch {
	case err != nil:
		return deny(err.Error())
	case ctx.Err() != nil:
		return undecided(context.Cause(ctx)) // nobody waits for an allow
	}
	return result(answer, given)
}

const schema = `{
	"type": "object",
	"properties": {
		"tool_name": {"type": "string", "description": "The tool's name, as the agent spells it"},
		"input": {"type": "object", "description": "What the tool is given"},
		"tool_use_id": {"type": "string", "description": "The call's identifier"}
	},
	"required": ["tool_name", "input"]
}`
