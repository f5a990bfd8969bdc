package bash

func interpreters(rows map[string]Row) {
	python := Row{
		Effects: runs, Operands: "script arg...", Stdin: "code",
		Options: "-b -B -c=code -d -E -h -i -I -m=module -O -OO -P -q -s -S -u -v -V -W=arg -x -X=arg --check-hash-based-pycs=arg",
		Modes:   []Mode{{When: "-c -m", Effects: runs, Operands: "none"}, {When: "-V", Operands: "none"}},
	}
	node := Row{
		Effects: runs, Operands: "script arg...", Stdin: "code", Modes: []Mode{{When: "-e --eval -p --print", Effects: runs, Operands: "none"}, {When: "-c --check", Effects: reads, Operands: "read..."}, {When: "-v", Operands: "none"}},
		Options: "-e|--eval=code -p|--print=code -c|--check -i|--interactive -r|--require=codefile --import=codefile --loader=codefile --experimental-loader=codefile --test --watch --inspect?arg --inspect-brk?arg --env-file=read --max-old-space-size=arg --enable-source-maps --no-warnings --experimental-strip-types --trace-warnings -C|--conditions=arg --input-type=arg -v --test-only --test-name-pattern=arg --run=arg",
	}
	perl := Row{
		Effects: runs, Operands: "script arg...", Stdin: "code", Modes: []Mode{{When: "-e -E", Effects: runs, Operands: "none"}, {When: "-v -V", Operands: "none"}},
		Options: "-e=code -E=code -n -p -i?arg!write -l?arg -0?arg -a -F=arg -c -d?arg -D=arg -I=arg -m=arg -M=arg -s -S -t -T -u -U -v -V?arg -w -W -X -x?arg -g",
	}
	sql := func(options string) Row {
		return Row{Effects: []Effect{Network, Read, Write, Run}, Options: options, Operands: "arg...", Stdin: "code"}
	}
	vim := Row{Effects: []Effect{Write, Run}, Options: "-c=code -S=codefile --cmd=code -u=codefile -U=codefile -i=arg -e -E -s=arg -es -n -N -R -d -O -o -p -g -y -v -Z -w=write -W=write -t=arg -q=read +=code --headless --clean --noplugin -l=codefile", Dash: true, Operands: "write..."}
	for name, row := range map[string]Row{
		"python": python,
		"node":   node, "perl": perl,
		"ruby": {Effects: runs, Operands: "script arg...", Stdin: "code", Options: "-e=code -n -p -i?arg!write -l -a -F=arg -c -d -I=arg -r=codefile -S -s -T -v -w -W -x -C=dir -E=arg -K=arg", Modes: []Mode{{When: "-e", Effects: runs, Operands: "none"}, {When: "-v", Operands: "none"}}},
		"php":  {Effects: runs, Operands: "script arg...", Stdin: "code", Options: "-r=code -R=code -B=code -E=code -F=codefile -f=codefile -a -c=codefile -n -d=arg -e -i -l -m -q -s -S=arg -t=arg -v -w -z=codefile", Modes: []Mode{{When: "-r -R -f -F -S", Effects: runs, Operands: "none"}, {When: "-v -i -m", Operands: "none"}, {When: "-l", Effects: reads, Operands: "read..."}}},
		"lua":  {Effects: runs, Operands: "script arg...", Stdin: "code", Options: "-e=code -l=codefile -i -v -E -W", Modes: []Mode{{When: "-e", Effects: runs, Operands: "none"}, {When: "-v", Operands: "none"}}}, "luajit": {Effects: runs, Operands: "script arg...", Stdin: "code", Options: "-e=code -l=codefile -i -v -E -j=arg -O=arg -b"},
		"Rscript": {Effects: runs, Operands: "script arg...", Options: "-e=code --vanilla --no-save"}, "R": {Effects: runs, Operands: "arg...", Options: "-e=code -f=codefile --vanilla --no-save --slave -q", Stdin: "code"}, "julia": {Effects: runs, Operands: "script arg...", Stdin: "code", Options: "-e|--eval=code -E|--print=code -p=arg -t=arg -L=codefile --project?arg"},
		"deno": {Subcommands: true}, "deno eval": {Effects: runs, Options: "-p|--print -T --ext=arg", Operands: "code..."}, "deno run": {Effects: runs, Operands: "script arg..."}, "deno test": {Effects: runs, Operands: "arg..."}, "deno task": {Effects: runs, Operands: "arg..."}, "deno fmt": {Effects: writesTo, Options: "--check", Operands: "write..."}, "deno lint": {Effects: reads, Operands: "read..."}, "deno check": {Effects: reads, Operands: "read..."},
		"osascript": {Effects: runs, Options: "-e=applescript -l=arg -s=arg -i", Operands: "script arg...", Stdin: "code", Modes: []Mode{{When: "-e", Effects: runs, Operands: "none"}}}, "tclsh": {Effects: runs, Operands: "codefile arg...", Stdin: "code"}, "expect": {Effects: runs, Options: "-c=code -f=codefile -d -i -n", Operands: "codefile arg...", Stdin: "code"}, "groovy": {Effects: runs, Options: "-e=code", Operands: "script arg..."}, "scala": {Effects: runs, Options: "-e=code", Operands: "script arg..."}, "clojure": {Effects: runs, Options: "-e=code -M=arg -X=arg -m=arg", Operands: "script arg..."}, "elixir": {Effects: runs, Options: "-e=code -r=codefile", Operands: "script arg..."}, "erl": {Effects: runs, Options: "-eval=code -noshell -s=arg", Dash: true, Operands: "arg..."}, "ghci": {Effects: runs, Options: "-e=code", Operands: "script arg..."}, "runghc": {Effects: runs, Options: "-e=code", Operands: "script arg..."}, "ocaml": {Effects: runs, Options: "-e=code", Operands: "script arg...", Stdin: "code"}, "jshell": {Effects: runs, Operands: "codefile...", Stdin: "code"}, "swift": {Effects: runs, Operands: "script arg...", Stdin: "code"}, "java": {Effects: runs, Options: "-jar=arg -cp|-classpath|--class-path=arg -version", Dash: true, Operands: "script arg...", Modes: []Mode{{When: "-version", Operands: "none"}}},
		"emacs": {Effects: []Effect{Write, Run}, Options: "--eval=code -eval=code -l=codefile --load=codefile --script=codefile -script=codefile -Q -q -nw --batch -batch -f=code -funcall=code --daemon", Dash: true, Operands: "write..."}, "vim": vim, "vi": vim, "nvim": vim, "view": vim, "ex": {Effects: []Effect{Write, Run}, Options: vim.Options, Dash: true, Operands: "write...", Stdin: "code"}, "nano": {Effects: writesTo, Operands: "write..."}, "ed": {Effects: []Effect{Write, Run}, Options: "-s -p=arg -E -G -l -r -v", Operands: "write", Stdin: "code"},
		"sqlite3": {Effects: []Effect{Read, Write, Run}, Options: "-cmd=code -init=codefile -json -csv -header -noheader -column -readonly -batch -bail -line -list -separator=arg -echo -interactive", Dash: true, Operands: "write code...", Stdin: "code"}, "duckdb": {Effects: []Effect{Read, Write, Run}, Options: "-c=code -cmd=code -init=codefile -json -csv -readonly", Dash: true, Operands: "write code...", Stdin: "code"},
		"psql": sql("-c|--command=code -f|--file=codefile -d|--dbname=arg -h|--host=arg -p|--port=arg -U|--username=arg -w|--no-password -W -l|--list -A -t|--tuples-only -q -x|--expanded -o|--output=write -L|--log-file=write -v|--variable|--set=arg -X -1 -a -b -e -E -F=arg -P=arg -R=arg -z -0 -n -s -S -H --csv"), "mysql": sql("-e|--execute=code -D|--database=arg -h|--host=arg -P|--port=arg -u|--user=arg -p --password?arg -B|--batch -N -s -t -v --tee=write --pager?run --init-command=code --defaults-file=codefile --protocol=arg -S|--socket=arg --ssl-mode=arg"), "mariadb": sql("-e|--execute=code -D|--database=arg -h|--host=arg -P|--port=arg -u|--user=arg -p --password?arg"), "mongosh": sql("--eval=code --file|-f=codefile --quiet --host=arg --port=arg"), "redis-cli": sql("-h=arg -p=arg -a=arg -n=arg --eval=codefile -u=arg --raw --scan --pattern=arg -x"), "pg_dump": {Effects: []Effect{Network, Read}, Options: "-f|--file=write -d|--dbname=arg -h=arg -p=arg -U=arg -F=arg -t=arg -n=arg -s -a -j=arg -O -x", Operands: "arg..."}, "mysqldump": {Effects: []Effect{Network, Read}, Options: "-u=arg -p -h=arg -r|--result-file=write --databases --all-databases", Operands: "arg..."},
		"pytest": {Effects: runs, Operands: "arg..."}, "black": {Effects: writesTo, Options: "--check --diff -q -v -l|--line-length=arg -t=arg --config=read --exclude=arg -S --fast --color", Operands: "write..."}, "ruff": {Subcommands: true}, "ruff check": {Effects: reads, Options: "--fix!write --unsafe-fixes --fix-only!write --select=arg --ignore=arg --extend-select=arg --output-format=arg -q -v --diff --statistics --no-cache --preview --exit-zero --show-files --watch --config=read --target-version=arg --line-length=arg --add-noqa!write -o|--output-file=write --exclude=arg -n", Operands: "read..."}, "ruff format": {Effects: writesTo, Options: "--check --diff -q --line-length=arg --config=read --exclude=arg --preview", Operands: "write..."}, "mypy": {Effects: builds, Operands: "read..."}, "pyright": {Effects: reads, Operands: "read..."}, "flake8": {Effects: runs, Operands: "read..."}, "pylint": {Effects: runs, Operands: "read..."}, "isort": {Effects: writesTo, Operands: "write..."}, "tox": {Effects: installs, Operands: "arg..."}, "nox": {Effects: installs, Operands: "arg..."},
	} {
		rows[name] = row
	}
}

func buildTools(rows map[string]Row) {
	install := Row{Effects: installs, Operands: "arg..."}
	run := Row{Effects: []Effect{Run, Read, Write, Network}, Operands: "arg..."}
	build := Row{Effects: builds, Operands: "arg..."}
	info := Row{Effects: []Effect{Read, Network}, Operands: "arg..."}
	read := Row{Effects: reads, Operands: "arg..."}
	publish := Row{Effects: []Effect{Network, Read, Run}, Operands: "arg..."}
	const npm = "--prefix=dir -C|--cwd|--dir=dir -w|--workspace=arg --workspaces~ --filter|-F=arg -r|--recursive~ -s|--silent~ -q|--quiet~ --loglevel=arg~ -g|--global!write --registry=arg --userconfig=codefile --script-shell=run --ignore-scripts~ --if-present~ --json~ --no-color~ --color?arg~ --depth=arg -D|--save-dev -S|--save -E|--save-exact -P|--production -O --omit=arg --include=arg --frozen-lockfile --immutable --legacy-peer-deps --no-audit --no-fund --force|-f --offline --prefer-offline --watch --coverage"
	for tool, names := range map[string]string{
		"npm":  "install i ci add update up uninstall remove rm test t run run-script start stop restart build rebuild exec publish pack version init create link audit outdated ls list view info show search config cache whoami root bin prefix prune dedupe pkg fund explain login logout doctor query",
		"yarn": "install add remove upgrade up test run start build publish pack version init create link audit outdated list why info config cache dlx workspace workspaces import",
		"pnpm": "install i add update up remove rm uninstall test t run start build publish pack init create link audit outdated list ls why dlx store import prune fetch rebuild deploy",
		"bun":  "install i add update remove rm test run start build publish init create link outdated pm x upgrade",
	} {
		rows[tool] = Row{Subcommands: true, Global: true, Options: npm, Effects: installs}
		for name := range splitNames(names) {
			row := run
			switch name {
			case "install", "i", "ci", "add", "update", "up", "upgrade", "uninstall", "remove", "rm", "dlx", "x", "create", "init", "link", "rebuild", "import", "fetch", "deploy", "prune", "dedupe":
				row = install
			case "outdated", "view", "info", "show", "search", "whoami", "audit":
				row = info
			case "ls", "list", "why", "root", "bin", "prefix", "explain", "fund", "query":
				row = read
			case "publish":
				row = publish
			}
			rows[tool+" "+name] = row
		}
	}
	rows["npm audit"] = Row{Effects: []Effect{Read, Network}, Options: "--audit-level=arg --fix", Operands: "arg...", Modes: nil}
	for name := range splitNames("bunx yarnpkg uvx nps turbo lerna nx ng vite next astro webpack rollup esbuild parcel tsc tsx ts-node jest vitest mocha ava playwright cypress eslint prettier biome stylelint storybook tailwindcss svelte-kit gatsby rake rspec rubocop rails bundle bundler gem composer phpunit artisan mvn mvnw gradle gradlew sbt lein mix rebar3 cabal stack dune opam zig ninja meson bazel buck scons xmake ant just task dotnet nuget msbuild flutter dart pod fastlane xcodebuild swiftc gcc g++ cc c++ clang clang++ rustc ghc javac kotlinc nasm ld as ar maturin poetry pipenv pdm hatch rye conda mamba pre-commit act brew apt apt-get apk dnf yum pacman zypper snap flatpak choco nix-env nix-build pipx cookiecutter ansible ansible-playbook vagrant packer") {
		rows[name] = Row{Effects: run.Effects, Operands: run.Operands, Subcommands: true}
	}
	makes := Row{
		Effects: []Effect{Run, Read, Write, Network}, Operands: "arg...",
		Options: "-C|--directory=dir -f|--file|--makefile=codefile -j --jobs?arg -k|--keep-going -n|--just-print|--dry-run|--recon -s|--silent|--quiet -B|--always-make -d --debug?arg -e|--environment-overrides -E|--eval=code -i|--ignore-errors -I|--include-dir=arg -l --load-average?arg -L -o|--old-file=arg -O --output-sync?arg -p|--print-data-base -q|--question -r|--no-builtin-rules -R -S -t|--touch --trace -v -w|--print-directory --no-print-directory -W|--what-if=arg --warn-undefined-variables SHELL=run CC=run CXX=run MAKE=run MAKEFLAGS=code",
	}
	for name, row := range map[string]Row{
		"make": makes, "cmake": {Effects: builds, Options: "-P=codefile -B=write -S=read -D=arg -G=arg --build=arg -j=arg --target=arg -t=arg --config=arg --install=arg -E -C=codefile -L -N -W=arg --preset=arg --fresh --toolchain=codefile -v --prefix=arg", Operands: "arg..."}, "ctest": build,
		"go": {Subcommands: true, Options: "-C=dir", Dash: true}, "go build": goBuild(builds, "-o=write"), "go install": goBuild(installs, ""), "go run": goBuild(run.Effects, "-exec=run"), "go test": goBuild(run.Effects, goTest), "go vet": goBuild(builds, "-vettool=run -json -c=arg"), "go generate": goBuild(run.Effects, "-run=arg -skip=arg"),
		"go fmt": {Effects: builds, Options: "-n -x -mod=arg", Dash: true, Operands: "write..."}, "go list": goBuild([]Effect{Read, Network}, "-f=arg -json?arg -m -u -e -deps -test -find -versions -export -compiled -retracted"), "go get": goBuild(installs, "-u?arg -t -d"), "go mod": {Subcommands: true}, "go mod tidy": {Effects: fetches, Options: "-e -v -x -go=arg -compat=arg -diff", Dash: true}, "go mod download": {Effects: fetches, Options: "-json -x -reuse=read", Dash: true, Operands: "arg..."}, "go mod vendor": {Effects: fetches, Options: "-e -v -o=write", Dash: true}, "go mod init": {Effects: writesTo, Dash: true, Operands: "arg"}, "go mod edit": {Effects: writesTo, Options: "-fmt -json -print -require=arg -replace=arg -droprequire=arg -dropreplace=arg -go=arg -module=arg -exclude=arg -retract=arg -toolchain=arg -tool=arg", Dash: true, Operands: "write"}, "go mod why": {Effects: []Effect{Read, Network}, Options: "-m -vendor", Dash: true, Operands: "arg..."}, "go mod graph": {Effects: []Effect{Read, Network}, Options: "-go=arg -x", Dash: true}, "go mod verify": {Effects: []Effect{Read, Network}, Dash: true},
		"go env": {Effects: reads, Options: "-json -changed -u!write -w!write", Dash: true, Operands: "arg..."}, "go version": {Effects: reads, Options: "-m -v", Dash: true, Operands: "read..."}, "go doc": {Effects: reads, Options: "-all -c -cmd -short -src -u -http!network", Dash: true, Operands: "arg..."}, "go help": read, "go clean": {Effects: deletes, Options: "-i -r -n -x -cache -testcache -modcache -fuzzcache", Dash: true, Operands: "arg..."}, "go tool": run, "go work": {Effects: writesTo, Operands: "arg..."}, "go fix": goBuild(builds, "-fix=arg -diff"),
		"gofmt": {Effects: reads, Options: "-w&write -l -d -s -e -r=arg -cpuprofile=write", Dash: true, Operands: "read..."}, "gofumpt": {Effects: reads, Options: "-w&write -l -d -s -e -extra -lang=arg -modpath=arg", Dash: true, Operands: "read..."}, "goimports": {Effects: reads, Options: "-w&write -l -d -e -v -local=arg -srcdir=arg", Dash: true, Operands: "read..."}, "golangci-lint": build, "staticcheck": build, "govulncheck": build, "gopls": build, "dlv": run,
		"cargo":       {Subcommands: true, Global: true, Options: "--config=cargoconfig -C=dir --manifest-path=arg~ -Z=arg -q|--quiet~ -v|--verbose~ -vv~ --color=arg~ --locked~ --offline~ --frozen~ --list~ --explain=arg --target-dir=write --message-format=arg -p|--package=arg --workspace|--all --exclude=arg -F|--features=arg --all-features --no-default-features --release|-r --profile=arg --target=arg -j|--jobs=arg --lib --bins --bin=arg --examples --example=arg --tests --test=arg --benches --bench=arg --all-targets --no-run --no-fail-fast --doc --keep-going --fix!write --allow-dirty --allow-staged --check --edition=arg --no-deps --open!run"},
		"cargo build": build, "cargo b": build, "cargo check": build, "cargo c": build, "cargo clippy": build, "cargo test": run, "cargo t": run, "cargo nextest": run, "cargo run": run, "cargo r": run, "cargo bench": run, "cargo doc": build, "cargo fmt": {Effects: []Effect{Run, Write}, Operands: "arg..."}, "cargo fix": build, "cargo add": {Effects: fetches, Options: "--dev|-D --build|-B --features=arg --path=arg --git=arg --branch=arg --rename=arg --optional --dry-run", Operands: "arg..."}, "cargo remove": {Effects: writesTo, Options: "--dev --build", Operands: "arg..."}, "cargo update": {Effects: fetches, Options: "--precise=arg --dry-run --aggressive -w", Operands: "arg..."}, "cargo install": {Effects: installs, Options: "--path=arg --git=arg --version=arg --root=write --force|-f --debug --branch=arg", Operands: "arg..."}, "cargo uninstall": {Effects: deletes, Operands: "arg..."}, "cargo tree": {Effects: reads, Options: "-i|--invert=arg -d|--duplicates -e|--edges=arg --depth=arg --prefix=arg", Operands: "arg..."}, "cargo metadata": {Effects: reads, Options: "--format-version=arg --no-deps --filter-platform=arg"}, "cargo search": info, "cargo publish": publish, "cargo package": build, "cargo clean": {Effects: deletes, Options: "--doc"}, "cargo new": {Effects: writesTo, Options: "--name=arg --vcs=arg", Operands: "write"}, "cargo init": {Effects: writesTo, Options: "--name=arg --vcs=arg", Operands: "write"}, "cargo fetch": {Effects: fetches}, "cargo audit": info, "cargo deny": info, "cargo expand": build, "cargo vendor": {Effects: fetches, Operands: "write"},
		"rustup": {Subcommands: true}, "rustup show": read, "rustup update": install, "rustup default": {Effects: writesTo, Operands: "arg"}, "rustup target": install, "rustup component": install, "rustup toolchain": install, "rustfmt": {Effects: writesTo, Options: "--check --edition=arg --emit=arg --config=arg --config-path=read -q -v", Operands: "write..."},
		"pip": pipTool, "uv": {Subcommands: true, Global: true, Options: "-q|--quiet~ -v|--verbose~ --directory=dir --project=arg --offline~ --no-cache|-n~ --color=arg~ --config-file=codefile --no-config~ -p|--python=arg"}, "uv pip": {Subcommands: true}, "uv pip install": pipInstall, "uv pip list": read, "uv pip freeze": read, "uv pip show": read, "uv pip uninstall": {Effects: deletes, Options: "-y", Operands: "arg..."}, "uv pip compile": {Effects: []Effect{Network, Read}, Options: "-o|--output-file=write --upgrade -U", Operands: "read..."}, "uv sync": install, "uv add": install, "uv remove": install, "uv lock": {Effects: installs, Options: "-U|--upgrade --check"}, "uv venv": {Effects: writesTo, Options: "--python=arg -p=arg --seed", Operands: "write"}, "uv init": {Effects: writesTo, Operands: "write"}, "uv build": build, "uv publish": publish, "uv tree": read, "uv tool": run, "uv python": install, "uv version": read, "uv self": install,
	} {
		rows[name] = row
	}
	for tool, names := range map[string]string{"pip": "list freeze show check"} {
		for name := range splitNames(names) {
			rows[tool+" "+name] = Row{Effects: reads, Options: "-o|--outdated!network -u|--uptodate --format=arg --local|-l --user -f|--files --not-required --path=list", Operands: "arg..."}
		}
		rows[tool+" install"], rows[tool+" download"], rows[tool+" wheel"] = pipInstall, pipInstall, pipInstall
		rows[tool+" uninstall"] = Row{Effects: deletes, Options: "-y|--yes -r|--requirement=read", Operands: "arg..."}
		rows[tool+" search"], rows[tool+" index"], rows[tool+" config"], rows[tool+" cache"] = info, info, Row{Effects: writesTo, Operands: "arg..."}, Row{Effects: deletes, Operands: "arg..."}
	}
}

var pipTool = Row{Subcommands: true, Global: true, Options: "-q|--quiet~ -v|--verbose~ --disable-pip-version-check~ --no-color~ --no-input~ --python=arg --proxy=arg --timeout=arg~ --retries=arg~ --cert=read --log=write --cache-dir=arg --no-cache-dir~ --isolated~ --require-virtualenv~ --trusted-host=arg!network -V"}

var pipInstall = Row{
	Effects: installs, Operands: "arg...",
	Options: "-r|--requirement=read -c|--constraint=read -e|--editable=arg -t|--target=write --user --root=write --prefix=write -U|--upgrade --upgrade-strategy=arg --force-reinstall -I|--ignore-installed --no-deps --pre -i|--index-url=url --extra-index-url=url -f|--find-links=url --no-index --no-build-isolation --only-binary=arg --no-binary=arg --prefer-binary --require-hashes --progress-bar=arg --break-system-packages --dry-run --report=write -d|--dest=write -w|--wheel-dir=write --system --python-version=arg --platform=arg --all-extras --extra=arg --reinstall",
}

const goTest = "-exec=run -run=arg -bench=arg -benchmem -benchtime=arg -count=arg -cover -coverprofile=write -covermode=arg -coverpkg=arg -cpu=arg -failfast -fuzz=arg -fuzztime=arg -json -list=arg -parallel=arg -short -skip=arg -shuffle=arg -timeout=arg -vet=arg -c -o=write -args -cpuprofile=write -memprofile=write -blockprofile=write -mutexprofile=write -trace=write -outputdir=write -fullpath"

// goBuild returns a row for a subcommand of go that takes its build flags.
func goBuild(effects []Effect, options string) Row {
	return Row{
		Effects: effects, Dash: true, Operands: "arg...",
		Options: "-C=dir -a -n -p=arg -race -msan -asan -cover -covermode=arg -coverpkg=arg -v -work -x -asmflags=arg -buildmode=arg -buildvcs?arg -compiler=arg -gccgoflags=arg -gcflags=arg -installsuffix=arg -json -ldflags=arg -linkshared -mod=arg -modcacherw -modfile=read -overlay=read -pgo=arg -pkgdir=arg -tags=arg -trimpath -toolexec=run " + options,
	}
}
