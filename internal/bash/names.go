package bash

import "strings"

// arity returns how many words make the name of commands that have more than
// one, by the leading words.
func arity() map[string]int {
	const two = "apt apt-get apk asdf bazel brew buf bun bundle cabal cargo cdk cf chezmoi choco cmake composer conan conda consul crictl dagger deno devbox direnv dnf docker " +
		"docker-compose dotnet dvc eas eksctl elixir expo firebase flutter flyctl fly gcloud gem git git-lfs go gradle gradlew ./gradlew helm heroku hg hugo ip istioctl java jj journalctl jupyter just k3d k9s " +
		"kind kubectl kustomize lerna mamba make maturin mc minikube mise mix mongosh mvn mvnw mysql nerdctl ng nix npm nvm nx nx-cloud oc op openssl pacman pdm php pip pip3 pipenv pipx pnpm podman poetry " +
		"prisma psql pulumi pyenv python python3 railway rails rake rbenv redis-cli ruby rustup rye sbt sdk serverless skaffold sls snap sst stack supabase svn swift systemctl task terraform terragrunt tofu " +
		"tmux turbo ufw uv vault vercel vite volta wp wrangler xcrun yarn yum zig"
	const three = "aws|az|doctl|gcloud|gh|glab|sfdx|sf|aliyun|oci|linode-cli|scw|" +
		"apt-get source|bun run|bun x|bun pm|cargo add|cargo run|cargo install|cargo remove|composer run-script|conda env|consul kv|deno task|deno run|" +
		"docker builder|docker buildx|docker compose|docker container|docker context|docker image|docker manifest|docker network|docker plugin|docker stack|docker swarm|docker system|docker volume|" +
		"dotnet ef|dotnet tool|eksctl create|firebase functions|flutter pub|fly apps|git bisect|git config|git flow|git lfs|git notes|git remote|git stash|git submodule|git worktree|git reflog|git bundle|" +
		"go mod|go tool|go work|helm repo|hg bookmark|ip addr|ip link|ip netns|ip route|just run|kind create|kubectl config|kubectl create|kubectl kustomize|kubectl rollout|kubectl set|" +
		"mc admin|mise run|nix flake|nix profile|nix store|npm cache|npm config|npm exec|npm init|npm pkg|npm run|npm run-script|npm view|nx run|op item|openssl req|openssl x509|php artisan|pip cache|pip config|pip3 cache|" +
		"pnpm dlx|pnpm exec|pnpm run|pnpm store|podman compose|podman container|podman image|podman network|podman pod|podman system|podman volume|poetry env|poetry run|poetry self|pdm run|" +
		"prisma db|prisma migrate|pulumi config|pulumi stack|python -m|rustup component|rustup target|rustup toolchain|supabase db|supabase functions|terraform state|terraform workspace|tofu state|tofu workspace|" +
		"uv pip|uv run|uv tool|uv python|vault auth|vault kv|wrangler pages|yarn dlx|yarn run|yarn workspace|yarn config|xcrun simctl"
	rows := make(map[string]int, 320)
	for name := range strings.SplitSeq(two, " ") {
		rows[name] = 2
	}
	for name := range strings.SplitSeq(three, "|") {
		rows[name] = 3
	}
	return rows
}

// aliases are the programs that are used like another.
func aliases() map[string]string {
	return map[string]string{
		"podman": "docker", "nerdctl": "docker", "docker-compose": "docker compose", "podman-compose": "docker compose", "oc": "kubectl", "k": "kubectl", "glab": "gh", "tofu": "terraform", "terragrunt": "terraform", "pip3": "pip",
		"python2": "python", "python3": "python", "python3.9": "python", "python3.10": "python", "python3.11": "python", "python3.12": "python", "python3.13": "python", "python3.14": "python", "pypy": "python", "pypy3": "python", "ipython": "python",
		"nodejs": "node", "egrep": "grep", "fgrep": "grep", "zgrep": "grep", "gsed": "sed", "nawk": "awk", "mawk": "awk", "gmake": "make", "gtimeout": "timeout", "gtar": "tar", "bsdtar": "tar", "gfind": "find", "gxargs": "xargs",
		"gbase32": "base32", "gbase64": "base64", "gbasename": "basename", "gb2sum": "b2sum", "gcat": "cat", "gchgrp": "chgrp", "gchmod": "chmod", "gchown": "chown", "gchroot": "chroot", "gcksum": "cksum", "gcomm": "comm", "gcp": "cp",
		"gcsplit": "csplit", "gcut": "cut", "gdate": "date", "gdd": "dd", "gdf": "df", "gdir": "dir", "gdirname": "dirname", "gdu": "du", "gecho": "echo", "genv": "env", "gexpand": "expand", "gexpr": "expr",
		"gfactor": "factor", "gfalse": "false", "gfmt": "fmt", "gfold": "fold", "ggroups": "groups", "ghead": "head", "gid": "id", "ginstall": "install", "gjoin": "join", "gkill": "kill", "glink": "link", "gln": "ln",
		"glogname": "logname", "gls": "ls", "gmd5sum": "md5sum", "gmkdir": "mkdir", "gmkfifo": "mkfifo", "gmknod": "mknod", "gmktemp": "mktemp", "gmv": "mv", "gnice": "nice", "gnl": "nl", "gnohup": "nohup", "gnproc": "nproc",
		"gnumfmt": "numfmt", "god": "od", "gpaste": "paste", "gpathchk": "pathchk", "gpr": "pr", "gprintenv": "printenv", "gprintf": "printf", "gpwd": "pwd", "greadlink": "readlink", "grealpath": "realpath", "grm": "rm", "grmdir": "rmdir",
		"gseq": "seq", "gsha1sum": "sha1sum", "gsha256sum": "sha256sum", "gsha512sum": "sha512sum", "gshred": "shred", "gshuf": "shuf", "gsleep": "sleep", "gsort": "sort", "gsplit": "split", "gstat": "stat", "gstdbuf": "stdbuf", "gstty": "stty",
		"gsum": "sum", "gsync": "sync", "gtac": "tac", "gtail": "tail", "gtee": "tee", "gtest": "test", "gtouch": "touch", "gtr": "tr", "gtrue": "true", "gtruncate": "truncate", "gtsort": "tsort", "gtty": "tty",
		"guname": "uname", "gunexpand": "unexpand", "guniq": "uniq", "gunlink": "unlink", "guptime": "uptime", "gusers": "users", "gwc": "wc", "gwho": "who", "gwhoami": "whoami", "gyes": "yes", "gegrep": "grep", "gfgrep": "grep",
		"ggrep": "grep", "gtime": "time", "gwhich": "which", "glocate": "locate", "gupdatedb": "updatedb", "batcat": "bat", "fdfind": "fd", "python3.8": "python", "zegrep": "grep", "zfgrep": "grep", "bzgrep": "grep", "xzgrep": "grep",
	}
}
