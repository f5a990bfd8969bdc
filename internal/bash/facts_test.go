package bash_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/bash"
)

// first returns the first command of a script.
func first(t *testing.T, src string) bash.Command {
	t.Helper()
	s := bash.Parse(src, nil)
	if len(s.Commands) == 0 {
		t.Fatalf("Parse(%q) lists no command", src)
	}
	return s.Commands[0]
}

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		src, name, canonical, prefix string
		system, transparent          bool
	}{
		{"rm x", "rm", "rm x", "rm", true, true},
		{"/bin/rm x", "rm", "rm x", "rm", true, true},
		{"./rm x", "rm", "rm x", "rm", false, false},
		{"/bin/../tmp/rm x", "rm", "rm x", "rm", false, false},
		{"git -C d push -f", "git", "git push -f", "git push", true, true},
		{"git -C $D push", "git", "git push", "git push", true, false},
		{"git --no-pager -P log", "git", "git log", "git log", true, true},
		{"git -c a.b=c push", "git", "git push", "git push", true, false},
		{"git --git-dir=x --work-tree y push", "git", "git push", "git push", true, false},
		{"git --unheard push", "git", "git push", "git push", true, false},
		{"git remote add o u", "git", "git remote add o u", "git remote add", true, true},
		{"docker compose -f x up -d", "docker", "docker compose up -d", "docker compose up", true, true},
		{"kubectl -n ns get pods", "kubectl", "kubectl get pods", "kubectl get", true, true},
		{"kubectl --kubeconfig f get pods", "kubectl", "kubectl get pods", "kubectl get", true, false},
		{"npm run -s build", "npm", "npm run -s build", "npm run build", true, true},
		{"unheard -x sub", "unheard", "unheard -x sub", "unheard", true, true},
	} {
		c := first(t, tt.src)
		if c.Name != tt.name || c.Canonical != tt.canonical || c.Prefix != tt.prefix {
			t.Errorf("Parse(%q): name %q, canonical %q, prefix %q", tt.src, c.Name, c.Canonical, c.Prefix)
		}
		if c.System != tt.system || c.Transparent != tt.transparent {
			t.Errorf("Parse(%q): system %v, transparent %v", tt.src, c.System, c.Transparent)
		}
	}
}

func TestPrefix(t *testing.T) {
	for _, tt := range []struct{ words, want string }{
		{"unheard sub", "unheard"},
		{"touch f", "touch"},
		{"git checkout main", "git checkout"},
		{"npm run dev fast", "npm run dev"},
		{"npm exec tsc", "npm exec tsc"},
		{"npx tsc", "npx"},
		{"docker compose up web", "docker compose up"},
		{"aws s3 ls x", "aws s3 ls"},
		{"aws s3", "aws s3"},
		{"git", "git"},
		{"git -p status", "git status"},
		{"", ""},
	} {
		if got := (*bash.Tables)(nil).Prefix(strings.Fields(tt.words)); got != tt.want {
			t.Errorf("Prefix(%q) = %q, want %q", tt.words, got, tt.want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want []string
	}{
		{"rm -rf x", []string{"--force", "--recursive", "-R", "-f", "-r", "-rf"}},
		{"rm x --recu", []string{"--recu", "--recursive", "-R", "-r"}},
		{"git push o -f", []string{"--force", "-f"}},
		{"git commit -nm x", []string{"--message", "--no-verify", "-m", "-n", "-nm"}},
		{"grep -A3 x", []string{"--after-context", "-A", "-A3"}},
		{"ls -- -l", nil},
		{"unheard -ab --c=d", []string{"--c", "-a", "-ab", "-b"}},
	} {
		if diff := cmp.Diff(tt.want, first(t, tt.src).Options, cmpEmpty); diff != "" {
			t.Errorf("Parse(%q): options (-want +got):\n%s", tt.src, diff)
		}
	}
}

var cmpEmpty = cmp.Transformer("empty", func(list []string) string { return strings.Join(list, " ") })

func TestOperations(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"rm -r a b", "delete a, delete b"},
		{"cp a b c", "read a, read b, write c"},
		{"cp -t d a b", "write d, read a, read b"},
		{"mv a b", "delete a, read a, write b"},
		{"ln -s a b", "read a, write b"},
		{"tee -a f", "write f"},
		{"dd if=a of=b", "read a, write b"},
		{"sed -i s/a/b/ f", "read f, write f"},
		{"sed 's/a/b/w f' g", "read g, write f"},
		{"grep x f g", "read f, read g"},
		{"grep -e x f", "read f"},
		{"sort -of g", "write f, read g"},
		{"curl -o f http://h/x", "write f"},
		{"curl -O http://h/x", "write x"},
		{"curl -d @f http://h", "read f"},
		{"tar cf a b", "write a, read b"},
		{"tar -xf a", "read a"},
		{"git checkout main -- f", "write f"},
		{"awk '{ print > \"f\" }' g", "write f, read g"},
		{"sed -e p -e d f", "read f"},
		{"chmod -x f", "write f"},
		{"chmod -rw f g", "write f, write g"},
		{"chmod 755 f", "write f"},
		{"cat -", ""},
		{"git checkout x .env", "write .env"},
		{"git checkout .env", "write .env"},
		{"git checkout HEAD a b", "write a, write b"},
		{"git checkout feature/x", ""},
		{"git checkout v1.2.3", ""},
		{"git apply --directory=.permctl p", "write .permctl, read p"},
		{"git annotate .env", "read .env"},
		{"git notes add -F .env", "read .env"},
		{"git merge-file -p .env a b", "read .env, write .env, read a, read b"},
		{"git mailsplit -o.permctl x", "write .permctl, read x"},
		{"uniq *", "read *, write *"},
		{"xxd [ab]", "read [ab], write [ab]"},
		{"echo ~/.ssh/*", "read? ~/.ssh/*"},
		{"printf %s /etc/p*", "read? /etc/p*"},
		{"echo '/etc/*' a*", ""},
		{"cat \"$F\"", "read \"$F\""},
		{"unheard /a b", "read? /a"},
		{"ls /a", "read? /a"},
		{"make a/../../b", "write a/../../b"},
		{"make a/b X=c", ""},
		{"make prefix=/x install", "write /x"},
	} {
		var got []string
		for _, o := range first(t, tt.src).Operations {
			effect := string(o.Effect)
			if !o.Listed {
				effect += "?"
			}
			got = append(got, effect+" "+o.Path)
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("Parse(%q): operations (-want +got):\n%s", tt.src, diff)
		}
	}
}

func TestHazards(t *testing.T) {
	for _, tt := range []struct{ src, kind string }{
		{"LD_PRELOAD=x ls", "environment"},
		{"PATH=$X ls", "environment"},
		{"export PAGER=x", "environment"},
		{"unset PATH", "environment"},
		{"env BASH_ENV=x ls", "environment"},
		{"git -c a=b log", "option"},
		{"git log --outp=f", "option"},
		{"git fetch --upload-pack=x", "option"},
		{"find . -delete", "option"},
		{"find . -fprint f", "option"},
		{"sort -o f", "option"},
		{"sort --compress-prog x", "option"},
		{"rg --pre x y", "option"},
		{"tar xf a --checkpoint-action=exec=x", "option"},
		{"sed -i s/a/b/ f", "option"},
		{"sed '1e x' f", "code"},
		{"sed ':a e x' f", "code"},
		{"sed ':a s/x/y/e' f", "code"},
		{"sed 'ba e x' f", "code"},
		{"sed ':a w f' g", "option"},
		{"sed 's/x/y/;:a w f' g", "option"},
		{"sed '/x/ba w f' g", "option"},
		{"sed 'ta w f' g", "option"},
		{"sed 'Ta w f' g", "option"},
		{"sed ':a}# e x' f", "code"},
		{"sed ':a}a e x' f", "code"},
		{"sed 'ba}c e x' f", "code"},
		{"make 'A:=$(shell x)'", "code"},
		{"make 'A!=x'", "code"},
		{"make 'SHELL = x'", "option"},
		{"make CC:::=x", "option"},
		{"make CC+=x", "option"},
		{"make GIT_EXTERNAL_DIFF=x", "environment"},
		{"make VPATH=a:/x", "environment"},
		{"npm run x --node-options=--import=y", "code"},
		{"git --unheard x push -f", "option"},
		{"git push . HEAD:main -$F", "glob"},
		{"tar tf *", "glob"},
		{"git fetch-pack --exec='rm x;' . HEAD", "option"},
		{"git for-each-repo --config=a.b push -f", "code"},
		{"awk 'BEGIN { system(\"x\") }'", "code"},
		{"python3 -c x", "code"},
		{"python3 - <<E\n$X\nE", "code"},
		{"python3 < f", "code"},
		{"ed f <<'E'\n!x\nE", "code"},
		{"tee f", "redirect"},
		{"tee -a f", "redirect"},
		{"tee /dev/null $F", "redirect"},
		{"dd if=a of=b", "redirect"},
		{"osascript -e 'do shell script \"ls\"'", "code"},
		{"node -e x", "code"},
		{"perl -pi -e x f", "code"},
		{"find . $X", "glob"},
		{"find {x}a,-delete}", "glob"},
		{"git $X", "glob"},
		{"rg x *", "glob"},
		{"curl \"$X\"", "glob"},
		{"wget -O out http://h/x", "redirect"},
		{"wget -qOout http://h/x", "redirect"},
		{"wget --output-doc=out http://h/x", "redirect"},
		{"wget -nv -P d http://h/x", "redirect"},
		{"wget -o log http://h/x", "redirect"},
		{"wget --save-cookies c http://h/x", "redirect"},
		{"wget -i urls", "option"},
		{"uniq a b", "redirect"},
		{"uniq -c a b", "redirect"},
		{"guniq a b", "redirect"},
		{"gsort -o f", "option"},
		{"genv -u PATH ls", "environment"},
		{"history -a f", "redirect"},
		{"history -w", "option"},
		{"xxd a b", "redirect"},
		{"xxd -r a b", "redirect"},
		{"openssl enc -d -aes-256-cbc -in x -out y", "redirect"},
		{"gpg --output y --decrypt x", "redirect"},
		{"gpg -do y x", "redirect"},
		{"rsync -n --write-batch=out a b", "redirect"},
		{"rsync --log-file=f a b", "redirect"},
		{"nmap -oN out h", "redirect"},
		{"nmap --script=./x.nse h", "code"},
		{"cpio -o -O out", "redirect"},
		{"vim -w out x", "redirect"},
		{"vim -s keys x", "code"},
		{"vim -e -s -c '!x' f", "code"},
		{"vimdiff -c ':!x' a b", "code"},
		{"nano -s ./x f", "option"},
		{"go test -c -o x", "redirect"},
		{"git format-patch -o d -1", "redirect"},
		{"git format-patch --outp=x -1", "redirect"},
		{"git bundle create -q x.bundle HEAD", "redirect"},
		{"git grep --op x", "option"},
		{"git grep -nO x", "option"},
		{"git config --unset a.b", "option"},
		{"git config --rem x", "option"},
		{"git config unset a.b", "option"},
		{"git config rename-section a b", "option"},
		{"git send-email --header-cmd=x a", "option"},
		{"systemd-run -E LD_PRELOAD=x ls", "environment"},
		{"xargs --process-slot-var=PATH ls", "environment"},
		{"env --uns=PATH ls", "environment"},
		{"bash -k -c x", "option"},
		{"bash -o keyword -c x", "environment"},
		{"make LD_PRELOAD=x test", "code"},
		{"lldb -b -o 'platform shell x'", "code"},
		{"lldb -s f", "code"},
		{"cmake -DCMAKE_C_COMPILER=./x .", "option"},
		{"cmake -DCMAKE_CXX_COMPILER_LAUNCHER=./x .", "option"},
		{"ctest -S x.cmake", "code"},
		{"ack --pager=x y", "option"},
		{"delta --pager x y", "option"},
		{"mocha -r ./x", "code"},
		{"rubocop --require ./x", "code"},
		{"clang -Xclang -load -Xclang ./x.so a.c", "option"},
		{"clang -fpass-plugin=./x.so a.c", "code"},
		{"gcc @f x.c", "option"},
		{"cargo rustc -- -C linker=x", "code"},
		{"curl --engine ./x.so http://h", "code"},
		{"curl --url-query @f http://h", "option"},
		{"tshark -X lua_script:x", "code"},
		{"npm install --registry=http://h x", "option"},
		{"yarn add --registry http://h x", "option"},
		{"npm config set script-shell x", "option"},
		{"npm c set a b", "option"},
		{"npm pkg set a=b", "option"},
		{"pnpm config set a b", "option"},
		{"yarn config set a b", "option"},
		{"pip config --user set a b", "option"},
		{"gh alias set x '!y'", "code"},
		{"gh config set pager x", "option"},
		{"jest --config=x.js", "code"},
		{"jest -u", "option"},
		{"prettier --config x.js a", "code"},
		{"prettier -w .", "option"},
		{"eslint --fix .", "option"},
		{"eslint -o out .", "option"},
		{"cargo clippy --fix", "option"},
		{"rubocop -A", "option"},
		{"rubocop --auto-correct-all", "option"},
		{"stylelint --fix a.css", "option"},
		{"golangci-lint run --fix", "option"},
		{"clang-tidy -fix a.c", "option"},
		{"biome check --write .", "option"},
		{"standard --fix", "option"},
		{"ktlint -F", "option"},
		{"markdownlint --fix a.md", "option"},
		{"./gradlew test -I x.gradle", "code"},
		{"fzf --preview x", "option"},
		{"fzf --bind 'enter:execute(x)'", "code"},
		{"pytest -p x", "code"},
		{"pytest @x", "option"},
		{"go build -o .git/hooks/x", "redirect"},
		{"go build -gcflags=all=-cpuprofile=x", "code"},
		{"go build -ldflags='-s -extar x'", "code"},
		{"go build -asmflags '-o x'", "code"},
		{"go vet -mod=mod ./...", "option"},
		{"pytest -W error::a.B", "code"},
		{"pytest --cov-report=xml:x", "option"},
		{"npm test -script-shell=x", "option"},
		{"npm test ---script-sh x", "option"},
		{"npm x -userconfig=x -- a", "code"},
		{"npx -node-opt=x a", "code"},
		{"sort -T d f", "option"},
		{"jq 'import # c\n\"x\" as $a; 1'", "code"},
		{"python -m pytest -p x", "code"},
		{"python3 -X dev -m pytest -q --junitxml=x", "option"},
		{"pytest -c x.ini", "code"},
		{"dc -e '!x'", "code"},
		{"rpm --eval '%(x)'", "code"},
		{"rpm -E '%(x)'", "code"},
		{"run-parts ./x", "code"},
		{"pdflatex --shell-esc x.tex", "option"},
		{"pdflatex -shell-escape x.tex", "option"},
		{"pylint --init-hook=x y", "code"},
		{"perl -lne x f", "code"},
		{"perl -0777ne x f", "code"},
		{"swift -e x", "code"},
		{"guile -c x", "code"},
		{"raku -e x", "code"},
		{"racket -e x", "code"},
		{"bb -e x", "code"},
		{"clojure -M -e x", "code"},
		{"sbcl --eval x", "code"},
		{"octave --eval x", "code"},
		{"elixir -e x", "code"},
		{"iex -e x", "code"},
		{"crystal eval x", "code"},
		{"deno repl --eval x", "code"},
		{"jrunscript -e x", "code"},
		{"groovy -e x", "code"},
		{"scala -e x", "code"},
		{"kotlin -e x", "code"},
		{"ghci -e x", "code"},
		{"bun -e x", "code"},
		{"sbcl < f", "code"},
		{"git svn --authors-prog=x fetch", "option"},
		{"git svn --config-dir x fetch", "option"},
		{"git daemon --access-hook=x", "option"},
		{"git daemon --pid-file=x", "redirect"},
		{"git fast-import --export-marks=x", "redirect"},
		{"git fast-import --allow-unsafe-features", "option"},
		{"git fast-export --export-marks=x --all", "option"},
		{"git instaweb -m x", "code"},
		{"git p4 --git-dir=x sync", "option"},
		{"git mailinfo a b", "redirect"},
		{"git read-tree --index-output=x HEAD", "redirect"},
		{"git credential-store --file=x store", "redirect"},
		{"rg -nz foo", "option"},
		{"pytest --report-log=x", "option"},
		{"pytest --store-durations", "option"},
		{"go test -coverprofile=x .", "redirect"},
		{"go test --cpuprofile x .", "redirect"},
		{"go test . -args -test.trace=x", "redirect"},
		{"go test -gccgoflags=x .", "code"},
		{"go vet -fix .", "option"},
		{"go fix -fixtool=x .", "option"},
		{"go tool -modfile=x y", "code"},
		{"go tool link -extld=x y.o", "option"},
		{"go tool compile -o x y.go", "redirect"},
		{"go tool cover -func=c.out -o x", "redirect"},
		{"go tool pprof -tools=x c.out", "option"},
		{"go tool cgo -- -fplugin=x y.go", "code"},
		{"cargo test -- --logfile x", "redirect"},
		{"cargo bench foo -- --logfile=x", "redirect"},
		{"cargo nextest run --tool-config-file x", "code"},
		{"cargo nextest run --config 'build.rustc=\"x\"'", "option"},
		{"cargo flamegraph --cmd x", "option"},
		{"cargo generate --git http://h/x", "option"},
		{"pip install --python=x y", "option"},
		{"pip install --report=x y", "redirect"},
		{"mypy --html-report x src", "redirect"},
		{"mypy --config-file x src", "code"},
		{"pyright --pythonpath x", "option"},
		{"bandit -o x -r src", "option"},
		{"tox --discover x", "option"},
		{"nox -f x", "code"},
		{"docker --config x ps", "code"},
		{"docker build -o x .", "option"},
		{"docker build --iidfile=x .", "redirect"},
		{"kubectl get pods --server http://h", "option"},
		{"kubectl get pods --kuberc=x", "code"},
		{"kubectl config set-credentials x --exec-command=y", "option"},
		{"kustomize build --enable-exec x", "option"},
		{"terraform init -plugin-dir=x", "code"},
		{"terraform test -junit-xml=x", "redirect"},
		{"helm template --post-renderer x a b", "option"},
		{"helm --kubeconfig=x list", "code"},
		{"helm plugin install x", "option"},
		{"ansible all --sftp-extra-args=x -m ping", "option"},
		{"ansible-playbook --become-password-file=x y.yml", "option"},
		{"gh repo clone x -- --upload-pack=y", "option"},
		{"gh release download -O x", "redirect"},
		{"gh extension install x", "option"},
		{"npm test --onload-script=x", "code"},
		{"yarn pack -o x", "redirect"},
		{"yarn plugin import x", "option"},
		{"bun build --outfile=x y", "redirect"},
		{"deno compile -o x y.ts", "redirect"},
		{"tsc -outFile x y.ts", "redirect"},
		{"tsc @x", "option"},
		{"vitest --poolOptions.forks.execArgv=x", "option"},
		{"babel --config-file x a", "code"},
		{"vite build -c x", "code"},
		{"playwright test -c x", "code"},
		{"cypress run --config-file x", "code"},
		{"rollup --watch.onEnd=x", "option"},
		{"esbuild x --outfile=y", "redirect"},
		{"bazel test --run_under=x //...", "option"},
		{"swift build -Xlinker x", "option"},
		{"mvn exec:exec -Dexec.executable=x", "option"},
		{"gradle -Dorg.gradle.java.home=x test", "option"},
		{"phpunit --bootstrap x", "code"},
	} {
		c := first(t, tt.src)
		if !slices.ContainsFunc(c.Hazards, func(h bash.Hazard) bool { return h.Kind == tt.kind }) {
			t.Errorf("Parse(%q) finds no hazard of kind %s: %v", tt.src, tt.kind, c.Hazards)
		}
	}
	for _, src := range []string{
		"ls -la", "tee", "tee /dev/null", "dd if=a of=/dev/null", "python3 - <<'E'\nx\nE", "node <<< 'x'", "git status", "git log --oneline -5", "PAGER=cat git log", "NODE_ENV=test npm test", "sort a", "sed -n 1,3p f",
		"sed ':a;N;$!ba;s/\\n/ /g' f", "sed -n '/x/{s/a/b/;ta};p' f", "sed ': a\n$!{N;b a\n}' f",
		"wget http://h/x", "wget -qO- http://h/x", "wget -nv -O /dev/null http://h/x", "wget -r -np -nH http://h/x", "sort a | uniq -c", "uniq -c a", "history 5", "xxd a", "xxd -r -p",
		"openssl x509 -in a -noout -text", "openssl rand -hex 8", "gpg --verify a b", "gpg -d a", "rsync -avz a b", "nmap -sV -p80 -Pn -T4 h", "nmap -oN - h", "go test -run X -v ./...", "go build -ldflags=-X=a.b=c ./...",
		"git format-patch --stdout -1", "git format-patch -1", "git fetch --all --prune --tags", "git pull -p --rebase", "git remote add o https://h/x", "git remote set-url o git@h:x", "git rebase -i HEAD~2", "git grep -n x", "git config --get a.b", "git config list",
		"xargs -n1 -P4 echo x", "env -u FOO ls", "bash -o pipefail -c ls", "make -j4 test", "make V=1", "cmake -B build -S . -DCMAKE_BUILD_TYPE=Release -G Ninja", "cmake --build build -j8", "cmake -E make_directory x", "ctest --output-on-failure -j4",
		"gcc -O2 -c x.c -o x.o -DX=1 -Iinclude", "clang++ -std=c++20 a.cc", "cargo clippy -- -D warnings", "cargo +nightly build", "cargo rustc --release", "cargo fmt --check", "npm install", "npm i -D x", "npm config get registry", "npm pkg get name", "pnpm -w add x", "pnpm --filter x build",
		"yarn add -D x", "yarn workspace a add b", "bun install", "bun test", "bun x.ts", "pip config list", "pip install -r r.txt", "gh alias list", "gh pr view 1 --json title", "jest src --coverage", "prettier --check .", "eslint src --ext .ts", "rubocop -f json",
		"stylelint a.css", "golangci-lint run ./...", "clang-tidy a.c", "biome check src", "standard", "ktlint", "./gradlew test --tests X", "gradle build -x test", "mvn -q -DskipTests package", "fzf -f x", "pytest -x -q -k a --cov=src tests", "rpm -qa", "pdflatex x.tex",
		"latexmk -pdf x.tex", "pylint -j 4 src", "perl x.pl", "swift build", "ghc x.hs", "tsc --noEmit -p .", "ninja -C build", "apt-get -qq -y install x", "apt-get -s install x", "composer -n install", "rake -s test", "just -n test", "turbo --filter=x build", "nix build --no-link",
		"git status -uno", "kubectl get pods -o wide", "docker stats --no-stream", "helm template . -f v.yaml", "uv sync --frozen", "uv run pytest -q", "deno test --allow-read", "ip addr", "ip netns list", "systemd-run -E A=1 ls", "vim -es f", "npx --yes jest", "black --check .", "ruff check .", "terraform fmt -check",
		"awk 'NR > 1 && /a|b/ { print $1 / 2 }' f", "find . -name '*.go'", "rm -rf x", "wc -l *.go", "grep \"$X\" f", "IFS= read -r x", "cp -t d f",
		"pytest -q -x -k foo tests/", "python -m pytest -q -x -k foo tests/", "python3 -m pip list", "python -m http.server -b 127.0.0.1", "pytest tests/a.py::T::test_b --cov=src --cov-report=term-missing", "pytest --rootdir=. -p no:cacheprovider", "go test -run X -count=1 ./...", "go test -race -cover ./... -args -update -n 3",
		"go build -o bin/x ./cmd/x", "go test -c -o /dev/null .", "go vet ./...", "go tool cover -func=c.out", "go tool pprof -top -nodecount=20 c.out",
		"rg -n foo src", "cargo test --release", "cargo test -p x -- --nocapture --test-threads=1 --skip slow", "cargo test --manifest-path sub/Cargo.toml", "cargo clippy --all-targets -- -D warnings -C opt-level=2",
		"cargo run -- --config x -o y", "npm run build -- --watch", "make -j4 -C sub test", "docker ps -q --filter name=x", "docker build -t x -f Dockerfile .",
		"kubectl get pods -n x -o wide", "kubectl get pods --server-print=false", "terraform plan -var foo=bar -no-color", "helm template x ./chart -f values.yaml", "gh repo clone o/r dir -- --depth 1",
		"gradle test -Pfoo=bar -x lint", "mvn -q -Dtest=Foo test", "dotnet test src/x.csproj -c Release --no-build", "mypy src", "tsc --noEmit -p tsconfig.json",
		"jest --rootDir=. src/a.test.ts", "vitest run --reporter=verbose", "vite build --mode production", "playwright test --project=chromium --headed", "rollup -c",
		"esbuild src/a.ts --bundle --outdir=dist", "bazel test --test_output=errors //...", "git svn fetch", "git fast-export --all",
	} {
		if c := first(t, src); len(c.Hazards) > 0 {
			t.Errorf("Parse(%q) finds hazards: %v", src, c.Hazards)
		}
	}
	s := bash.Parse("curl x | bash; curl x | gunzip | sh; bash <(curl x)", nil)
	for i, kind := range map[int]string{1: "download", 4: "download", 5: "download"} {
		if c := s.Commands[i]; len(c.Hazards) != 1 || c.Hazards[0].Kind != kind {
			t.Errorf("%s has hazards %v, want one of kind %s", c.Text, c.Hazards, kind)
		}
	}
}

// TestListGrows analyses a command that lists others while it is analysed, with
// every number of commands before it: what is known of it must not depend on that.
func TestListGrows(t *testing.T) {
	const src = "let 'a[$(touch x)]=1' $y"
	alone := first(t, src)
	for n := range 70 {
		s := bash.Parse(strings.Repeat(":\n", n)+src, nil)
		got := s.Commands[n]
		got.Line, got.Start, got.End = alone.Line, alone.Start, alone.End
		if diff := cmp.Diff(alone, got); diff != "" {
			t.Fatalf("behind %d commands (-alone +got):\n%s", n, diff)
		}
	}
}

func TestAssigns(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"A=1 ls", "A=1"},
		{"export A=1 B=x", "A=1 B=x"},
		{"env A=1 ls", "A=1"},
		{"read -r A B", "A=A B=B"},
		{"printf -v A x", "A=A"},
		{"unset A", "A=A"},
	} {
		var got []string
		for _, a := range first(t, tt.src).Assigns {
			got = append(got, a.Name+"="+a.Value)
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("Parse(%q): assigns (-want +got):\n%s", tt.src, diff)
		}
	}
	if s := bash.Parse("A=1; B=$(x) ; : ${C:=2}", nil); len(s.Assigns) != 3 {
		t.Errorf("the script assigns %v, want A, B and C", s.Assigns)
	}
}

func TestStdin(t *testing.T) {
	for _, tt := range []struct {
		src, stdin, input string
		static            bool
	}{
		{"cat <<'E'\na $b\nE", "heredoc", "a $b\n", true},
		{"cat <<E\na \\$b\nE", "heredoc", "a $b\n", true},
		{"cat <<E\na $b\nE", "heredoc", "a $b\n", false},
		{"cat <<-E\n\ta\n\tE", "heredoc", "a\n", true},
		{"cat <<< x", "herestring", "x", true},
		{"cat < f", "file", "", false},
		{"{ cat; } < f", "file", "", false},
		{"cat", "", "", false},
	} {
		c := first(t, tt.src)
		if c.Stdin != tt.stdin || c.Input != tt.input || c.InputStatic != tt.static {
			t.Errorf("Parse(%q): stdin %q, input %q, static %v", tt.src, c.Stdin, c.Input, c.InputStatic)
		}
	}
	if c := bash.Parse("a | b", nil).Commands[1]; c.Stdin != "pipe" {
		t.Errorf("the right side of a pipe is fed by %q", c.Stdin)
	}
}

func TestKnown(t *testing.T) {
	for _, tt := range []struct {
		src   string
		known bool
		want  []bash.Effect
	}{
		{"git status -s", true, []bash.Effect{bash.Read}},
		{"git branch", true, []bash.Effect{bash.Read}},
		{"git branch x", true, []bash.Effect{bash.Write}},
		{"git stash list", true, []bash.Effect{bash.Read}},
		{"git unheard", false, nil},
		{"ls --unheard", false, []bash.Effect{bash.Read}},
		{"./ls", false, []bash.Effect{bash.Read}},
		{"unheard", false, nil},
		{"bash run.sh", false, []bash.Effect{bash.Run}},
		{"sort -o f g", true, []bash.Effect{bash.Read, bash.Write}},
	} {
		c := first(t, tt.src)
		if c.Known != tt.known || !slices.Equal(c.Effects, tt.want) {
			t.Errorf("Parse(%q): known %v, effects %v, want %v, %v", tt.src, c.Known, c.Effects, tt.known, tt.want)
		}
	}
}

func TestTables(t *testing.T) {
	tables := &bash.Tables{
		Arity: map[string]int{"deploy": 2},
		Commands: map[string]bash.Row{
			"ls": {Effects: []bash.Effect{bash.Network}}, "deploy": {Subcommands: true},
			"with-env": {Wrapper: true, Options: "-f=read", Operands: "argv"},
		},
		Environment: []bash.Variable{{Name: "PAGER"}, {Name: "DEPLOY_*", Reason: "changes the target"}},
	}
	s := bash.Parse("with-env -f x deploy app; PAGER=x DEPLOY_TO=y ls", tables)
	if diff := cmp.Diff([]string{"with-env -f x deploy app", "deploy app", "ls"}, texts(s)); diff != "" {
		t.Fatalf("commands (-want +got):\n%s", diff)
	}
	if got := s.Commands[1].Prefix; got != "deploy app" {
		t.Errorf("prefix = %q, want %q", got, "deploy app")
	}
	ls := s.Commands[2]
	if !slices.Equal(ls.Effects, []bash.Effect{bash.Network}) || len(ls.Hazards) != 1 {
		t.Errorf("ls has effects %v and hazards %v", ls.Effects, ls.Hazards)
	}
	if c := first(t, "ls"); !slices.Equal(c.Effects, []bash.Effect{bash.Read}) {
		t.Errorf("the tables that ship have changed: ls has effects %v", c.Effects)
	}
}
