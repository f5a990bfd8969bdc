package mcp

// Approve is approve, for tests that need no server.
var Approve = approve
