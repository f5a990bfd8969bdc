package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set when a release is linked.
var version string

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Prints the versions of permctl and of the OPA inside it.

  permctl version`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionLine())
			return err
		},
	}
}

func versionLine() string {
	own, opa := versions()
	return fmt.Sprintf("permctl %s (OPA %s, %s, %s/%s)", own, opa, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func versions() (own, opa string) {
	own, opa = version, "unknown"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return cmp.Or(own, "unknown"), opa
	}
	for _, dep := range info.Deps {
		if dep.Path == "github.com/open-policy-agent/opa" {
			opa = dep.Version
		}
	}
	return cmp.Or(own, info.Main.Version, "(devel)"), opa
}
