package bash

import (
	"iter"
	"strings"
)

// aliases are the programs that are used like another.
func aliases() map[string]string {
	return map[string]string{
		"podman": "docker", "nerdctl": "docker", "docker-compose": "docker compose", "podman-compose": "docker compose", "oc": "kubectl", "k": "kubectl", "glab": "gh", "tofu": "terraform", "terragrunt": "terraform", "pip3": "pip",
		"python2": "python", "python3": "python", "python3.9": "python", "python3.10": "python", "python3.11": "python", "python3.12": "python", "python3.13": "python", "python3.14": "python", "pypy": "python", "pypy3": "python", "ipython": "python",
		"nodejs": "node", "egrep": "grep", "fgrep": "grep", "zgrep": "grep", "gsed": "sed", "nawk": "awk", "mawk": "awk", "gmake": "make", "gtimeout": "timeout", "gtar": "tar", "bsdtar": "tar", "gfind": "find", "gxargs": "xargs",
	}
}

// splitNames yields the names in a list.
func splitNames(list string) iter.Seq[string] { return strings.SplitSeq(list, " ") }

func cloudTools(rows map[string]Row) {
	docker := Row{Subcommands: true, Options: "--config=arg -c|--context=arg -D|--debug~ -H|--host=arg -l|--log-level=arg~ --tls --tlscacert=read --tlscert=read --tlskey=read --tlsverify -v"}
	compose := Row{Subcommands: true, Options: "-f|--file=read~ -p|--project-name=arg~ --profile=arg~ --env-file=read~ --project-directory=dir --ansi=arg~ --progress=arg~ --parallel=arg~ --compatibility~ --all-resources~ --dry-run~ --verbose~"}
	get := Row{Effects: []Effect{Network, Read}, Operands: "arg..."}
	change := Row{Effects: []Effect{Network, Write}, Operands: "arg..."}
	remove := Row{Effects: []Effect{Network, Delete}, Operands: "arg..."}
	start := Row{Effects: installs, Operands: "arg..."}
	group := Row{Subcommands: true}
	add := func(program string, row Row, names string) {
		for name := range splitNames(names) {
			rows[program+" "+strings.ReplaceAll(name, "_", " ")] = row
		}
	}
	ps := Row{Effects: reads, Options: "-a|--all -q|--quiet --format=arg -f|--filter=arg --no-trunc -n|--last=arg -l|--latest -s|--size --services --status=arg --digests", Operands: "arg..."}
	logs := Row{Effects: reads, Options: "-f|--follow --tail|-n=arg --since=arg --until=arg -t|--timestamps --details --no-color --no-log-prefix", Operands: "arg..."}
	build := Row{Effects: installs, Options: "-t|--tag=arg -f|--file=read --build-arg=arg --no-cache --pull --target=arg --platform=arg --progress=arg -q|--quiet --push --load -o|--output=arg!write --secret=arg --ssh?arg --label=arg --network=arg --cache-from=arg --cache-to=arg --iidfile=write --rm --force-rm --add-host=arg --squash --builder=arg", Operands: "list"}
	for name := range splitNames("docker") {
		rows[name] = docker
		add(name, ps, "ps images container_ls container_list image_ls image_list volume_ls network_ls context_ls")
		add(name, logs, "logs container_logs")
		add(name, Row{Effects: reads, Options: "-f|--format=arg -s|--size --type=arg", Operands: "arg..."}, "inspect version info port top stats diff history events search container_inspect image_inspect volume_inspect network_inspect system_df system_info image_history container_stats container_top")
		add(name, group, "container image volume network system context buildx builder manifest swarm stack service node secret config plugin")
		add(name, build, "build buildx_build image_build builder_build")
		add(name, Row{Effects: []Effect{Delete}, Options: "-f|--force -v|--volumes -l|--link -a|--all --filter=arg --no-prune", Operands: "arg..."}, "rm rmi container_rm image_rm volume_rm network_rm system_prune image_prune container_prune volume_prune network_prune builder_prune")
		add(name, Row{Effects: []Effect{Write, Run}, Operands: "arg...", Options: "-t|--time=arg -s|--signal=arg -a|--attach -i|--interactive"}, "start stop restart kill pause unpause wait rename update attach container_start container_stop container_restart container_kill")
		add(name, start, "pull push login logout tag commit load save import export image_pull image_push image_tag volume_create network_create network_connect network_disconnect")
		rows[name+" cp"] = Row{Effects: []Effect{Read, Write}, Options: "-a|--archive -L|--follow-link -q|--quiet", Operands: "read... write"}
		rows[name+" compose"] = compose
	}
	for _, program := range []string{"docker compose"} {
		add(program, ps, "ps images ls top port version config events stats")
		add(program, logs, "logs")
		add(program, Row{
			Effects: installs, Operands: "arg...",
			Options: "-d|--detach --build --no-build --force-recreate --no-recreate --no-deps --no-start --wait --wait-timeout=arg --remove-orphans -V|--renew-anon-volumes --scale=arg --pull=arg --quiet-pull --no-cache --build-arg=arg -q|--quiet --abort-on-container-exit --exit-code-from=arg --attach=arg --no-log-prefix --no-color -t|--timeout=arg --timestamps -w|--watch",
		}, "up build pull push create start restart watch")
		add(program, Row{Effects: []Effect{Write, Delete}, Operands: "arg...", Options: "-v|--volumes --remove-orphans --rmi=arg -t|--timeout=arg -s|--stop -f|--force"}, "down stop kill rm pause unpause")
		rows[program+" cp"] = Row{Effects: []Effect{Read, Write}, Operands: "read... write"}
	}
	const filter = "-o|--output=arg -l|--selector=arg -A|--all-namespaces -w|--watch --field-selector=arg --show-labels --sort-by=arg --no-headers -f|--filename=read -R|--recursive -k|--kustomize=read --ignore-not-found -L|--label-columns=arg --all --since=arg --since-time=arg --tail=arg -c|--container=arg -p|--previous --all-containers --timestamps --follow --prefix --max-log-requests=arg --raw=arg --for=arg --timeout=arg"
	rows["kubectl"] = Row{Subcommands: true, Global: true, Options: kubectlOptions}
	for _, program := range []string{"kubectl"} {
		add(program, Row{Effects: []Effect{Network, Read}, Options: filter, Operands: "arg..."}, "get describe logs top explain api-resources api-versions version cluster-info events wait auth diff config_view config_get-contexts config_current-context rollout_status rollout_history")
		add(program, group, "config rollout set create")
		add(program, Row{Effects: []Effect{Network, Write}, Options: filter + " --dry-run?arg --force --replicas=arg --type=arg -p=arg --patch=arg --server-side --prune --overwrite --record --save-config --validate?arg", Operands: "arg..."}, "apply patch replace scale autoscale label annotate expose rollout_restart rollout_undo rollout_pause rollout_resume taint cordon uncordon create_namespace create_secret create_configmap create_deployment create_job set_image set_env")
		add(program, Row{Effects: []Effect{Network, Delete}, Options: filter + " --force --grace-period=arg --cascade?arg --now", Operands: "arg..."}, "delete drain")
		add(program, Row{Effects: []Effect{Network, Write, Run}, Operands: "arg..."}, "edit debug attach port-forward proxy")
		add(program, Row{Effects: writesTo, Operands: "arg..."}, "config_use-context config_set-context config_set-cluster config_set-credentials config_delete-context")
		rows[program+" cp"] = Row{Effects: transfers, Options: "-c|--container=arg --no-preserve --retries=arg", Operands: "read write"}
	}
	add("helm", get, "list ls status get history search show template lint version env")
	add("helm", change, "install upgrade rollback repo push pull dependency package test")
	add("helm", remove, "uninstall delete")
	rows["helm"] = Row{Subcommands: true, Global: true, Options: "-n|--namespace=arg~ --kube-context=arg --kubeconfig=read --debug~ --post-renderer=run"}
	forge := Row{Subcommands: true, Global: true, Options: "-R|--repo=arg~ --hostname=arg"}
	rows["gh"] = forge
	const list = "-L|--limit=arg -s|--state=arg -l|--label=arg --json=arg -q|--jq=arg -t|--template=arg -w|--web!run -A|--author=arg -a|--assignee=arg -B|--base=arg -H|--head=arg -S|--search=arg -c|--comments --patch --name-only --color=arg --watch --required --interval=arg --log --log-failed -j|--job=arg --exit-status -v|--verbose -b|--branch=arg --workflow=arg -u|--user=arg -e|--event=arg"
	for _, program := range []string{"gh"} {
		for name := range splitNames("pr issue repo run workflow release gist label project secret variable auth config cache ruleset search org extension alias codespace mr ci") {
			rows[program+" "+name] = group
		}
		add(program+" *", Row{Effects: []Effect{Network, Read}, Options: list, Operands: "arg..."}, "list view status diff checks show get issues prs repos code commits")
		add(program+" *", Row{Effects: []Effect{Network, Write}, Operands: "arg...", Options: "-t|--title=arg -b|--body=arg -F|--body-file=read -B|--base=arg -H|--head=arg -d|--draft -f|--fill -a|--assignee=arg -l|--label=arg -r|--reviewer=arg -m --squash -s --merge --rebase --auto --delete-branch!delete --approve --comment -c|--comment-body=arg --request-changes --add-label=arg --remove-label=arg --add-assignee=arg --admin"}, "create edit comment review merge close reopen ready lock unlock fork rename sync set enable disable rerun cancel upload pin transfer develop update-branch")
		add(program+" *", remove, "delete")
		add(program+" *", start, "checkout clone download install upgrade watch")
		rows[program+" api"] = Row{
			Effects: []Effect{Network, Read}, Operands: "arg...", Options: "-X|--method=arg!write -f|--raw-field=arg!write -F|--field=arg!write -H|--header=arg -q|--jq=arg -t|--template=arg --paginate --slurp -i|--include --input=read!write --cache=arg --silent --verbose -p|--preview=arg",
		}
		rows[program+" status"] = get
	}
	cloud := Row{Effects: []Effect{Network, Read, Write, Delete}, Operands: "arg..."}
	for name := range splitNames("az gcloud gsutil bq doctl heroku flyctl fly vercel netlify wrangler firebase serverless sls sst cdk eksctl pulumi ansible-vault vault consul nomad op sentry-cli stripe supabase railway sfdx sf linode-cli scw aliyun oci mc rclone s3cmd kind minikube k3d kustomize istioctl argocd flux skaffold tilt") {
		rows[name] = cloud
	}
	rows["aws"] = Row{Effects: cloud.Effects, Operands: "arg...", Subcommands: true, Global: true, Options: "--profile=arg --region=arg~ --output=arg~ --query=arg~ --endpoint-url=arg --no-cli-pager~ --no-paginate~ --debug~ --no-verify-ssl --no-sign-request --color=arg~ --ca-bundle=read --cli-read-timeout=arg~ --cli-connect-timeout=arg~"}
	rows["aws s3"] = group
	add("aws s3", get, "ls presign")
	add("aws s3", Row{Effects: transfers, Options: "--recursive --exclude=arg --include=arg --acl=arg --dryrun --quiet --delete!delete --sse?arg --storage-class=arg", Operands: "read write"}, "cp sync mv")
	add("aws s3", remove, "rm rb")
	add("aws sts", get, "get-caller-identity")
	rows["aws sts"] = group
	terraform := Row{Subcommands: true, Options: "-chdir=dir -version -help", Dash: true}
	const vars = "-var=arg -var-file=read -target=arg -out=write -no-color -input=arg -lock=arg -lock-timeout=arg -refresh=arg -refresh-only -destroy -json -detailed-exitcode -compact-warnings -parallelism=arg -auto-approve -backend=arg -backend-config=arg -upgrade -reconfigure -migrate-state -replace=arg -state=write -check -diff -recursive -write=arg -raw"
	for name := range splitNames("terraform") {
		rows[name] = terraform
		add(name, Row{Effects: []Effect{Network, Read, Run}, Options: vars, Dash: true, Operands: "arg..."}, "plan validate show output providers version graph state_list state_show workspace_list workspace_show console")
		add(name, Row{Effects: []Effect{Network, Write, Delete, Run}, Options: vars, Dash: true, Operands: "arg..."}, "apply destroy import refresh taint untaint state_rm state_mv workspace_new workspace_select workspace_delete force-unlock")
		add(name, Row{Effects: installs, Options: vars, Dash: true, Operands: "arg..."}, "init get login")
		add(name, Row{Effects: writesTo, Options: vars, Dash: true, Operands: "write..."}, "fmt")
		add(name, group, "state workspace")
	}
}
