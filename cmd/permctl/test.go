package main

import "github.com/spf13/cobra"

func newTest(_ *flags) *cobra.Command {
	return &cobra.Command{Use: "test"}
}
