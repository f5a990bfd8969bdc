package bash

import "strings"

// nodeOptions are the options of node that load, write and connect nothing.
const nodeOptions = `
	--max-old-space-size=* --max-semi-space-size=* --max-http-header-size=* --stack-trace-limit=* --unhandled-rejections=* --dns-result-order=* --disable-warning=*
	--no-warnings --trace-warnings --no-deprecation --trace-deprecation --throw-deprecation --pending-deprecation --trace-uncaught --trace-exit --trace-sigint
	--enable-source-maps --preserve-symlinks --preserve-symlinks-main --openssl-legacy-provider --no-addons --expose-gc --expose_gc --jitless
	--experimental-vm-modules --experimental-strip-types --no-experimental-strip-types --experimental-transform-types --experimental-json-modules
	--experimental-require-module --no-experimental-require-module --experimental-specifier-resolution=* --experimental-import-meta-resolve
	--experimental-fetch --no-experimental-fetch --no-experimental-global-webcrypto --no-network-family-autoselection
`

// environment are the variables that make other programs do more than their
// arguments say.
func environment() []Variable {
	const (
		loads    = "loads code"
		runs     = "runs a program"
		mayRun   = "may make the command run a program"
		config   = "changes where programs find their settings"
		meaning  = "changes what commands mean"
		redirect = "sends requests elsewhere"
		writes   = "writes a file"
	)
	compilers := []string{
		"gcc", "clang", "cc", "g++", "clang++", "c++", "sccache", "ccache", "as", "cpp", "ld", "ar", "ranlib", "lex", "flex", "yacc", "bison", "rustc", "rustdoc", "cargo", "cmake", "make",
	}
	flags := []string{"-fplugin", "-B", "-specs", "-wrapper", "@", "-load", "-Wl", "-Wa", "-Wp", "-Xlinker", "-Xclang", "-fuse-ld", "-o", "-I", "-include", "$"}
	pagers := []string{"", "cat", "less", "more", "true", ":", "/bin/cat", "/usr/bin/cat"}
	var list []Variable
	add := func(v Variable, names ...string) {
		for _, name := range names {
			v.Name = name
			list = append(list, v)
		}
	}
	add(Variable{}, "GIT_TRACE2_PARENT_SID", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "PIP_DISABLE_PIP_VERSION_CHECK", "PIP_NO_INPUT", "PIP_NO_CACHE_DIR",
		"CARGO_TERM_COLOR", "CARGO_INCREMENTAL", "CARGO_TERM_PROGRESS_WHEN", "CGO_ENABLED", "npm_config_yes", "npm_config_loglevel", "CMAKE_BUILD_PARALLEL_LEVEL", "CMAKE_COLOR_DIAGNOSTICS",
		"CARGO_NET_OFFLINE", "YARN_ENABLE_IMMUTABLE_INSTALLS", "NO_PROXY", "no_proxy")
	add(Variable{Reason: loads}, "LD_*", "DYLD_*", "GCONV_PATH", "LOCPATH", "NLSPATH", "GLIBC_TUNABLES", "MALLOC_*")
	add(Variable{Reason: meaning, Harmless: []string{"", " ", "\t", "\n", ",", ":", ";", "|", "=", "\t\n", "\n\t", " \t\n"}}, "IFS")
	add(Variable{Reason: meaning}, "PATH", "BASH_ENV", "ENV", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "PS0", "PS1", "PS2", "CDPATH", "GLOBIGNORE",
		"EXECIGNORE", "FIGNORE", "INPUTRC", "HISTFILE", "ZDOTDIR", "FPATH", "fpath", "path", "SHELL", "BASH_LOADABLES_PATH", "BASH_XTRACEFD", "cdpath", "manpath", "module_path", "fignore", ".SHELLFLAGS",
		"TMPDIR", "BASH_ALIASES*", "BASH_CMDS*", "POSIXLY_CORRECT")
	add(Variable{Reason: runs}, "TEXTDOMAIN", "TEXTDOMAINDIR") // the translation of $"a" is expanded
	add(Variable{Reason: config, Holds: []string{"/"}}, "LANGUAGE")
	add(Variable{Reason: meaning}, "PWD", "OLDPWD", "BASH_ARGV0")
	add(Variable{Reason: meaning, Use: "prompt"}, "PS4")
	add(Variable{Reason: meaning, Use: "function"}, "BASH_FUNC_*")
	add(Variable{Reason: config}, "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS", "XDG_CACHE_HOME")
	add(Variable{Reason: runs, Use: "run", Harmless: pagers}, "PAGER", "GIT_PAGER", "MANPAGER", "GH_PAGER", "DELTA_PAGER", "BAT_PAGER", "SYSTEMD_PAGER",
		"PSQL_PAGER", "AWS_PAGER", "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "KUBE_EDITOR", "SUDO_EDITOR", "SYSTEMD_EDITOR", "FCEDIT",
		"BROWSER", "LESSEDIT", "GH_EDITOR", "GH_BROWSER")
	add(Variable{Reason: runs, Use: "filter"}, "LESSOPEN", "LESSCLOSE")
	add(Variable{Reason: runs, Harmless: []string{"", "-R", "-FRX", "FRX", "-F", "R", "-X", "-FX"}}, "LESS", "LESSKEY*", "MORE")
	add(Variable{Reason: runs, Use: "run"}, "GIT_SSH", "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF")
	add(Variable{Reason: runs, Use: "run", Harmless: []string{"", "true", "/bin/true", "echo", "/bin/echo"}}, "GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS")
	add(Variable{Reason: writes, Use: "write"}, "KRB5_TRACE", "QLOGDIR", "NODE_REDIRECT_WARNINGS", "NODE_V8_COVERAGE", "NODE_COMPILE_CACHE", "LLVM_PROFILE_FILE", "GOCOVERDIR", "GOTMPDIR",
		"COVERAGE_FILE", "KUBECACHEDIR", "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "PYTEST_DEBUG_TEMPROOT", "GCOV_PREFIX*", "GNUTLS_KEYLOGFILE", "SSLKEYLOGFILE")
	add(Variable{Reason: writes, Use: "write", Harmless: []string{"", "-", "/dev/null"}}, "LESSHISTFILE")
	add(Variable{Reason: writes, Holds: []string{"path", "dir", "include", "file"}}, "*SAN_OPTIONS")
	add(Variable{Reason: writes, Use: "write", Harmless: []string{"", "0", "1", "2", "true", "false"}}, "GIT_TRACE*")
	add(Variable{Reason: config}, "GIT_SSH_VARIANT", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_CONFIG*", "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_ALLOW_PROTOCOL", "GIT_ATTR_SOURCE",
		"GIT_PROTOCOL_FROM_USER", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM")
	add(Variable{Reason: loads, Inside: strings.Fields("python pytest coverage uv")}, "PYTHONPATH")
	add(Variable{Reason: loads, Inside: []string{"node"}}, "NODE_PATH")
	add(Variable{Reason: mayRun, Inside: []string{"make"}}, "VPATH", "PREFIX")
	add(Variable{Reason: writes, Use: "write", Inside: []string{"make"}}, "DESTDIR")
	add(Variable{Reason: loads}, "NAPI_RS_NATIVE_LIBRARY_PATH", "TS_NODE_*", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONUSERBASE", "PYTHONWARNINGS", "PYTHONBREAKPOINT", "PYTHONINSPECT",
		"PYTHONPLATLIBDIR", "PYTHONPYCACHEPREFIX", "PYTHONEXECUTABLE", "PYTEST_ADDOPTS", "PYTEST_PLUGINS",
		"NODE_REPL_EXTERNAL_MODULE", "PERL5OPT", "PERL5LIB", "PERLLIB", "PERL5DB", "PERL5SHELL", "RUBYOPT", "RUBYLIB", "BUNDLE_GEMFILE", "GEM_*",
		"PHPRC", "PHP_INI_SCAN_DIR", "LUA_INIT*", "LUA_PATH*", "LUA_CPATH*", "R_PROFILE*", "R_ENVIRON*", "ERL_*FLAGS", "JAVA_TOOL_OPTIONS",
		"JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH", "MAVEN_OPTS", "GRADLE_OPTS", "DENO_*", "BUN_*")
	add(Variable{Reason: redirect, Fold: true}, "npm_config_*")
	add(Variable{Reason: redirect}, "PIP_*", "UV_INDEX*", "UV_*URL", "YARN_*", "*_PROXY", "*_proxy", "*_BASE_URL",
		"DOCKER_HOST", "DOCKER_CONFIG", "DOCKER_CONTEXT", "KUBECONFIG", "AWS_ENDPOINT_URL*", "HOSTALIASES", "RES_OPTIONS", "GOPROXY", "GONOSUMDB", "GONOSUMCHECK", "GOSUMDB", "GOFLAGS_*")
	add(Variable{Reason: runs, Use: "run", Harmless: compilers}, "CC", "CXX", "LD", "AR",
		"AS", "CPP", "LEX", "YACC", "CO", "RANLIB", "NVCC", "AR_*", "RANLIB_*", "HOST_CC", "HOST_CXX", "HOST_AR", "HOST_LD", "HOST_RANLIB", "TARGET_CC", "TARGET_CXX", "TARGET_AR", "TARGET_LD", "TARGET_RANLIB",
		"CLANG_PATH", "CCACHE_PREFIX*", "CCACHE_COMPILER", "CARGO", "ESBUILD_BINARY_PATH", "LESSECHO", "GOAUTH", "PKG_CONFIG", "FC", "SWIG", "GCCGO", "CC_*", "CXX_*", "CMAKE", "PROTOC", "RUSTFMT", "MAKE", "MAKE_COMMAND", "RM", "INSTALL",
		"GIT_DIFFTOOL_EXTCMD", "SVN_SSH", "CVS_SERVER", "CHROME_BIN", "PUPPETEER_EXECUTABLE_PATH",
		"RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTDOC", "RSYNC_RSH", "RSYNC_CONNECT_PROG", "CVS_RSH", "GOCACHEPROG", "CARGO_BUILD_RUSTC*",
		"CARGO_TARGET_*_RUNNER", "CARGO_TARGET_*_LINKER", "FZF_DEFAULT_COMMAND")
	add(Variable{Reason: runs, Holds: flags}, "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "CFLAGS_*", "CXXFLAGS_*", "HOST_CFLAGS", "HOST_CXXFLAGS", "TARGET_CFLAGS", "TARGET_CXXFLAGS",
		"ASFLAGS", "LDLIBS", "LOADLIBES", "TARGET_ARCH", "TARGET_MACH", "OUTPUT_OPTION", "ARFLAGS", "LFLAGS", "YFLAGS")
	add(Variable{Reason: loads, Words: strings.Fields(nodeOptions)}, "NODE_OPTIONS")
	add(Variable{Reason: mayRun, Use: "makecode"}, "MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS")
	add(Variable{Reason: mayRun}, "GIT_TEST_*", "PYENV_*", "COMPILER_PATH", "LIBRARY_PATH", "GCC_EXEC_PREFIX", "GCC_COMPARE_DEBUG", "GET", "GOCACHE", "GOMODCACHE", "MAKEFILES", "CMAKE_*", "RUSTFLAGS", "RUSTDOCFLAGS", "CARGO_*",
		"GOFLAGS", "GOWORK", "RUSTUP_*", "LIBCLANG_PATH", "LLVM_CONFIG_PATH", "MERGE_TOOLS_DIR", "GITPERLLIB", "GIT_GUI_LIB_DIR", "TCLLIBPATH", "KRB5_CONFIG", "TS_NODE_PROJECT", "COVERAGE_RCFILE",
		"COVERAGE_PROCESS_START", "COV_CORE_CONFIG", "KUBERC", "GOENV", "GOTOOLCHAIN", "GOROOT", "GOPATH", "CGO_*", "TAR_OPTIONS", "FZF_DEFAULT_OPTS*", "GREP_OPTIONS", "ZIPOPT", "UNZIP", "MANOPT", "VIMINIT", "EXINIT", "MYVIMRC")
	add(Variable{Reason: config}, "RIPGREP_CONFIG_PATH", "CURL_HOME", "WGETRC", "OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES", "SSL_CERT_*", "PKG_CONFIG_PATH*", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR", "TERMINFO*", "TERMCAP",
		"PSQLRC", "SQLITE_*", "MANPATH", "GNUPGHOME", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "CLOUDSDK_*", "BAT_CONFIG_PATH", "JQ_LIBRARY_PATH", "ANSIBLE_CONFIG", "TF_CLI_*", "HELM_*")
	return list
}

// optionVariables are those in which programs find options beside their words.
var optionVariables = map[string]string{"tar": "TAR_OPTIONS", "zip": "ZIPOPT", "unzip": "UNZIP", "grep": "GREP_OPTIONS", "man": "MANOPT"}

// cargoConfig are the settings of cargo that are programs that it runs.
func cargoConfig() []string {
	return []string{
		"build.rustc", "build.rustc-wrapper", "build.rustc-workspace-wrapper", "build.rustdoc", "target.*.linker", "target.*.runner", "credential-alias.*", "registry.credential-provider",
	}
}

// gitConfig are the settings of git that are text that it runs.
func gitConfig() []string {
	return []string{
		"core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "core.askpass", "core.gitproxy", "sequence.editor", "pager.*", "diff.external",
		"diff.*.command", "diff.*.textconv", "merge.*.driver", "difftool.*.cmd", "mergetool.*.cmd", "filter.*.clean", "filter.*.smudge", "filter.*.process",
		"credential.helper", "credential.*.helper", "gpg.program", "gpg.*.program", "alias.*", "uploadpack.packobjectshook", "remote.*.uploadpack",
		"remote.*.receivepack", "submodule.*.update", "interactive.difffilter", "trailer.*.command", "trailer.*.cmd", "web.browser", "browser.*.cmd", "man.*.cmd", "sendemail.smtpserver",
	}
}
