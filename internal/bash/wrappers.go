package bash

// shellOptions are the options that sh, bash and their kin share.
const shellOptions = "-c -a -b -e -f -h -i -k -l -m -n -p -r -s -t -u -v -x -B -C -D -E -H -P -T -o=arg -O=arg " +
	"+a +b +e +f +h +k +m +n +p +t +u +v +x +B +C +E +H +P +T +o=arg +O=arg " +
	"--login --posix --norc --noprofile --noediting --restricted --verbose --debugger --pretty-print --dump-strings " +
	"--rcfile=codefile --init-file=codefile"

const sudoOptions = "-A|--askpass -a|--auth-type=arg -B|--bell -b|--background -C|--close-from=arg -c|--login-class=arg -D|--chdir=dir " +
	"-E --preserve-env?arg -e|--edit -g|--group=arg -H|--set-home -h|--host=arg -i|--login -K|--remove-timestamp -k|--reset-timestamp " +
	"-l|--list -N|--no-update -n|--non-interactive -P|--preserve-groups -p|--prompt=arg -R|--chroot=arg -r|--role=arg -S|--stdin " +
	"-s|--shell -T|--command-timeout=arg -t|--type=arg -U|--other-user=arg -u|--user=arg -V -v|--validate"

const suOptions = "-c|--command=line --session-command=line -f|--fast -g|--group=arg -G|--supp-group=arg -l|--login -m|-p|--preserve-environment " +
	"-P|--pty -s|--shell=arg -w|--whitelist-environment=arg -T|--no-pty"

const dockerExecOptions = "-d|--detach --detach-keys=arg -e|--env=arg --env-file=read --index=arg -i|--interactive -T|--no-TTY|--no-tty " +
	"--privileged -t|--tty -u|--user=arg -w|--workdir=arg"

const dockerRunOptions = "-a|--attach=arg --add-host=arg --annotation=arg --blkio-weight=arg --blkio-weight-device=arg --cap-add=arg!run --cap-drop=arg " +
	"--cgroup-parent=arg --cgroupns=arg --cidfile=write --cpu-period=arg --cpu-quota=arg --cpu-rt-period=arg --cpu-rt-runtime=arg " +
	"-c|--cpu-shares=arg --cpus=arg --cpuset-cpus=arg --cpuset-mems=arg -d|--detach --detach-keys=arg --device=arg --device-cgroup-rule=arg " +
	"--device-read-bps=arg --device-read-iops=arg --device-write-bps=arg --device-write-iops=arg --disable-content-trust --dns=arg " +
	"--dns-option=arg --dns-search=arg --domainname=arg --entrypoint=run -e|--env=arg --env-file=read --expose=arg --gpus=arg " +
	"--group-add=arg --health-cmd=arg --health-interval=arg --health-retries=arg --health-start-period=arg --health-timeout=arg " +
	"-h|--hostname=arg --init -i|--interactive --ip=arg --ip6=arg --ipc=arg --isolation=arg --kernel-memory=arg -l|--label=arg " +
	"--label-file=read --link=arg --log-driver=arg --log-opt=arg --mac-address=arg -m|--memory=arg --memory-reservation=arg " +
	"--memory-swap=arg --memory-swappiness=arg --mount=arg!write --name=arg --net|--network=arg --network-alias=arg --no-healthcheck " +
	"--oom-kill-disable --oom-score-adj=arg --pid=arg --pids-limit=arg --platform=arg --privileged!run -p|--publish=arg " +
	"-P|--publish-all --pull=arg -q|--quiet --read-only --restart=arg --rm --runtime=arg --security-opt=arg --shm-size=arg --sig-proxy " +
	"--stop-signal=arg --stop-timeout=arg --storage-opt=arg --sysctl=arg --tmpfs=arg -t|--tty --ulimit=arg -u|--user=arg --userns=arg " +
	"--uts=arg -v|--volume=arg!write --volume-driver=arg --volumes-from=arg -w|--workdir=arg"

const kubectlOptions = "-n|--namespace=arg~ --context=arg --cluster=arg --kubeconfig=read --user=arg --as=arg --as-group=arg --token=arg -s|--server=arg " +
	"--request-timeout=arg~ --insecure-skip-tls-verify --certificate-authority=read --client-certificate=read --client-key=read " +
	"--cache-dir=arg --tls-server-name=arg --match-server-version~ -v=arg~"

const straceOptions = "-a=arg -b=arg -c -C -d -D -e=arg -E=arg -f -F -h -i -I=arg -k -l=arg -n=arg -o=pipe -O=arg -p=arg -P=arg -q -r -s=arg -S=arg -t -T " +
	"-u=arg -U=arg -v -V -w -x -X=arg -y -z -Z --output=pipe --trace=arg --signal=arg --follow-forks --summary"

// wrappers are the commands that run another one.
func wrappers() map[string]Row {
	shell := Row{
		Options: shellOptions, Operands: "script arg...", Stdin: "text",
		Modes: []Mode{{When: "-c", Operands: "line arg..."}, {When: "-s", Operands: "arg..."}},
	}
	other := Row{
		Options: "-c|--command|--commands=foreign -Command=foreign -i -l -n -N -e --config=codefile -File=codefile", Operands: "foreign", Stdin: "foreign",
	}
	su := Row{Options: suOptions, Operands: "arg...", Stdin: "text"}
	argv := Row{Operands: "argv"}
	exec := Row{Options: dockerExecOptions, Operands: "arg argv", Away: true}
	container := Row{Options: dockerRunOptions, Operands: "arg argv", Away: true, Effects: []Effect{Run}}
	run := Row{Operands: "argv", Effects: []Effect{Run}}
	tmux := Row{Options: "-a -A -b -c=dir -d -D -E -e=arg -F=arg -f=arg -h -I -k -l=arg -n=arg -P -p=arg -s=arg -S -t=arg -v -x=arg -X -y=arg -Z -o -O", Operands: "text"}

	return map[string]Row{
		"sh": shell, "bash": shell, "dash": shell, "zsh": shell, "ksh": shell, "ash": shell, "mksh": shell,
		"fish": other, "nu": other, "pwsh": other, "powershell": other, "xonsh": other, "csh": other, "tcsh": other, "elvish": other,

		"env": {
			Options: "-i|--ignore-environment|- -0|--null -v|--debug -u|--unset=arg -C|--chdir=dir -a|--argv0=arg -P=arg -L=arg -U=arg " +
				"-S|--split-string=split --block-signal?arg --default-signal?arg --ignore-signal?arg --list-signal-handling",
			Operands: "assign argv", Modes: []Mode{{When: "", Effects: []Effect{Read}, Operands: "arg..."}},
		},
		"sudo": {
			Options: sudoOptions, Operands: "assign argv", Stdin: "text",
			Modes: []Mode{
				{When: "-e --edit", Operands: "write...", Effects: []Effect{Write}},
				{When: "-l --list -V -v --validate", Operands: "none"},
				{When: "-s --shell -i --login", Operands: "assign text"},
			},
		},
		"doas": {
			Options: "-a=arg -C=read -L -n -s -u=arg", Operands: "assign argv", Stdin: "text",
			Modes: []Mode{{When: "-C -L", Operands: "none"}},
		},
		"su": su,
		"runuser": {
			Options: suOptions + " -u|--user=arg", Operands: "arg...", Stdin: "text",
			Modes: []Mode{{When: "-u --user", Operands: "argv"}},
		},
		"sg": {Options: "-c=line -", Operands: "arg line"}, "newgrp": {Options: "-c=line -", Operands: "arg line", Stdin: "text"},
		"pkexec": {Options: "--user=arg --disable-internal-agent --keep-cwd", Operands: "argv"},
		"command": {
			Options: "-p -v -V", Operands: "argv", Same: true,
			Modes: []Mode{{When: "-v -V", Operands: "none", Effects: []Effect{Read}}},
		},
		"builtin": {Operands: "argv", Same: true},
		"exec":    {Options: "-a=arg -c -l", Operands: "argv", Same: true},
		"eval":    {Operands: "text", Same: true},
		".":       {Options: "-p=arg", Operands: "source", Same: true},
		"source":  {Options: "-p=arg", Operands: "source", Same: true},
		"trap": {
			Options: "-l -p -P -", Operands: "line arg...",
			Modes: []Mode{{When: "-l -p -P -", Operands: "none"}},
		},
		"jobs":      {Options: "-l -n -p -r -s -x", Operands: "arg...", Modes: []Mode{{When: "-x", Operands: "argv"}}},
		"complete":  {Options: "-C=run -F=arg -W=code -A=arg -G=arg -P=arg -S=arg -X=arg -o=arg -a -b -c -d -e -f -g -j -k -p -r -s -u -v -D -E -I", Operands: "arg..."},
		"compgen":   {Options: "-C=run -F=arg -W=code -A=arg -G=arg -P=arg -S=arg -X=arg -o=arg -V=name -a -b -c -d -e -f -g -j -k -s -u -v", Operands: "arg..."},
		"mapfile":   {Options: "-C=run -d=arg -n=arg -O=arg -s=arg -t -u=arg -c=arg", Operands: "name"},
		"readarray": {Options: "-C=run -d=arg -n=arg -O=arg -s=arg -t -u=arg -c=arg", Operands: "name"},
		"bind":      {Options: "-x=run -f=codefile -l -v -p -P -V -s -S -X -m=arg -q=arg -u=arg -r=arg", Operands: "code..."},
		"fc":        {Options: "-e=run -l -n -r -s", Operands: "arg...", Effects: []Effect{Run}},

		"nohup": argv, "setsid": {Options: "-c|--ctty -f|--fork -w|--wait", Operands: "argv"},
		"dbus-run-session": {Options: "--config-file=read --dbus-daemon=run", Operands: "argv"},
		"nice":             {Options: "-#~ -n|--adjustment=arg", Operands: "argv"},
		"ionice": {
			Options: "-c|--class=arg -n|--classdata=arg -p|--pid=arg -P|--pgid=arg -u|--uid=arg -t|--ignore", Operands: "argv",
			Modes: []Mode{{When: "-p --pid -P --pgid -u --uid", Operands: "arg..."}},
		},
		"chrt": {
			Options:  "-T|--sched-runtime=arg -P|--sched-period=arg -D|--sched-deadline=arg -a -b|--batch -d|--deadline -f|--fifo -i|--idle -o|--other -r|--rr -R|--reset-on-fork -m|--max -p|--pid -v|--verbose",
			Operands: "arg argv", Modes: []Mode{{When: "-p --pid -m --max", Operands: "arg..."}},
		},
		"taskset": {
			Options: "-a|--all-tasks -c|--cpu-list -p|--pid", Operands: "arg argv",
			Modes: []Mode{{When: "-p --pid", Operands: "arg..."}},
		},
		"timeout":  {Options: "-k|--kill-after=arg -s|--signal=arg -v|--verbose -p|--preserve-status -f|--foreground", Operands: "arg argv"},
		"stdbuf":   {Options: "-i|--input=arg -o|--output=arg -e|--error=arg", Operands: "argv"},
		"unbuffer": {Options: "-p", Operands: "argv"},
		"time":     {Options: "-f|--format=arg -o|--output=write -a|--append -p|--portability -v|--verbose -q|--quiet -l -h", Operands: "argv"},
		"chroot":   {Options: "--userspec=arg --groups=arg --skip-chdir", Operands: "arg argv", Stdin: "text"},
		"unshare": {
			Options: "-c -f|--fork -r|--map-root-user --map-current-user --map-user=arg --map-group=arg --map-users=arg --map-groups=arg --map-auto " +
				"--kill-child?arg --mount-proc?arg --propagation=arg --setgroups=arg -R|--root=arg -w|--wd=dir -S|--setuid=arg -G|--setgid=arg " +
				"-m --mount?arg -u --uts?arg -i --ipc?arg -n --net?arg -p --pid?arg -U --user?arg -C --cgroup?arg -T --time?arg",
			Operands: "argv", Stdin: "text",
		},
		"nsenter": {
			Options: "-a|--all -t|--target=arg -m --mount?arg -u --uts?arg -i --ipc?arg -n --net?arg -p --pid?arg -U --user?arg -C --cgroup?arg " +
				"-T --time?arg -S|--setuid=arg -G|--setgid=arg -r --root?arg -w --wd?dir -F|--no-fork -Z -e --preserve-credentials",
			Operands: "argv", Stdin: "text",
		},
		"prlimit": {
			Options: "-p|--pid=arg -o|--output=arg --noheadings --raw --verbose -c --core?arg -d --data?arg -e --nice?arg -f --fsize?arg " +
				"-i --sigpending?arg -l --memlock?arg -m --rss?arg -n --nofile?arg -q --msgqueue?arg -r --rtprio?arg -s --stack?arg -t --cpu?arg -u --nproc?arg -v --as?arg -x --locks?arg -y --rttime?arg",
			Operands: "argv", Modes: []Mode{{When: "-p --pid", Operands: "arg..."}},
		},
		"numactl": {
			Options:  "-i|--interleave=arg -p|--preferred=arg -l|--localalloc -N|--cpunodebind=arg -m|--membind=arg -C|--physcpubind=arg -s|--show -H|--hardware -a|--all -b|--balancing",
			Operands: "argv",
		},
		"cgexec":  {Options: "-g=arg --sticky", Operands: "argv"},
		"setarch": {Options: "-R|--addr-no-randomize -B -F -I -L -S -T -X -Z -v|--verbose -3 --uname-2.6", Operands: "arg argv"},
		"linux32": argv, "linux64": argv,
		"firejail": {Options: "--quiet --noprofile --net=arg --private?arg --profile?read --name?arg", Operands: "argv"},
		"bwrap": {
			Options: "--bind=arg+arg --ro-bind=arg+arg --dev-bind=arg+arg --dev=arg --proc=arg --tmpfs=arg --dir=arg --symlink=arg+arg " +
				"--setenv=arg+arg --unsetenv=arg --chdir=dir --unshare-all --unshare-net --unshare-pid --unshare-ipc --unshare-uts --unshare-user --share-net " +
				"--die-with-parent --new-session --as-pid-1 --uid=arg --gid=arg --hostname=arg --clearenv",
			Operands: "argv",
		},
		"strace": {Options: straceOptions, Operands: "argv"}, "ltrace": {Options: straceOptions, Operands: "argv"},
		"valgrind": {Options: "--tool=arg --leak-check?arg --error-exitcode=arg --log-file=write --track-origins=arg --show-leak-kinds=arg -q|--quiet -v|--verbose", Operands: "argv"},
		"gdb": {
			Options: "-ex|-iex|-ix|--eval-command|-eval-command=code -x|-command|--command=codefile -batch|--batch -q|-quiet|--quiet -nx -nh -p|-pid|--pid=arg " +
				"-c|-core=read -cd=dir --args -args -tui", Dash: true, Operands: "read arg...", Stdin: "code", Effects: []Effect{Run},
			Modes: []Mode{{When: "--args -args", Operands: "argv"}},
		},
		"rr": {Operands: "arg argv"}, "perf": {Subcommands: true},
		"perf stat":   {Options: "-e|--event=arg -a -r|--repeat=arg -d|--detailed -x=arg -p|--pid=arg -o|--output=write", Operands: "argv"},
		"perf record": {Options: "-e|--event=arg -a -g -F=arg -p|--pid=arg -o|--output=write --call-graph=arg", Operands: "argv"},
		"flock": {
			Options:  "-s|--shared -x|-e|--exclusive -u|--unlock -n|--nonblock|--nb -w|--wait|--timeout=arg -o|--close -E|--conflict-exit-code=arg -F|--no-fork --fcntl --verbose -c|--command=line",
			Operands: "write argv",
		},
		"script": {
			Options: "-c|--command=line -a|--append -e|--return -f|--flush --force -q|--quiet -t --timing?write -E|--echo=arg -I|--log-in=write " +
				"-O|--log-out=write -B|--log-io=write -T|--log-timing=write -m|--logging-format=arg -o|--output-limit=arg -k -r -F",
			Operands: "write argv", Stdin: "text",
		},
		"watch": {
			Options: "-n|--interval=arg -q|--equexit=arg -s|--shotsdir=arg -d --differences?arg -b|--beep -c|--color -C|--no-color -e|--errexit -f|--follow " +
				"-g|--chgexit -p|--precise -r|--no-rerun -t|--no-title -w|--no-wrap -x|--exec",
			Operands: "text", Modes: []Mode{{When: "-x --exec", Operands: "argv"}},
		},
		"xargs": {
			Options: "-0|--null -a|--arg-file=read -d|--delimiter=arg -E=arg -e?arg --eof?arg -I=marker -i?marker --replace?marker -J=marker -R=arg -S=arg " +
				"-L=arg -l?arg --max-lines?arg -n|--max-args=arg -o|--open-tty -P|--max-procs=arg -p|--interactive --process-slot-var=arg " +
				"-r|--no-run-if-empty -s|--max-chars=arg --show-limits -t|--verbose -x|--exit",
			Operands: "argv", Modes: []Mode{{When: "", Operands: "argv:echo"}}, Appends: true,
		},
		"parallel": {
			Options: "-j|--jobs|-P|--max-procs=arg -I=arg -a|--arg-file=read -S|--sshlogin=run --results=write --joblog=write --tmpdir=arg --colsep|-C=arg " +
				"-d|--delimiter=arg -n|--max-args=arg -N|--max-replace-args=arg -L=arg --delay=arg --timeout=arg --retries=arg --workdir|--wd=arg " +
				"-k|--keep-order --bar --progress --eta --halt=arg -0|--null -v|--verbose -t -q|--quote -r|--no-run-if-empty --dry-run --lb|--line-buffer --ungroup|-u --tag --no-notice --will-cite --shuf -m -X -x",
			Operands: "inputs",
		},
		"find": {
			Effects: []Effect{Read}, Dash: true, Operands: "list...",
			Options: "-H -L -P -O=arg -D=arg -E -X -a -and -o -or -not -amin=arg -anewer=read -atime=arg -cmin=arg -cnewer=read -ctime=arg -daystart " +
				"-delete!delete -d -depth -empty -exec=exec -execdir=exec -ok=exec -okdir=exec -executable -false -files0-from=read -fls=write " +
				"-follow -fprint=write -fprint0=write -fprintf=write+arg -fstype=arg -gid=arg -group=arg -ignore_readdir_race -ilname=arg " +
				"-iname=arg -inum=arg -ipath=arg -iregex=arg -iwholename=arg -links=arg -lname=arg -ls -maxdepth=arg -mindepth=arg -mmin=arg " +
				"-mount -mtime=arg -name=arg -newer=read -newermt=arg -newerct=arg -newerat=arg -newermm=read -noleaf -nogroup -nouser -path=arg " +
				"-perm=arg -print -print0 -printf=arg -prune -quit -readable -regex=arg -regextype=arg -samefile=read -size=arg -true -type=arg " +
				"-uid=arg -used=arg -user=arg -warn -nowarn -wholename=arg -writable -xdev -xtype=arg",
		},
		"fd": {
			Effects: []Effect{Read}, Operands: "arg list...", Appends: true,
			Options: "-H|--hidden -I|--no-ignore --no-ignore-vcs -u|--unrestricted -s|--case-sensitive -i|--ignore-case -g|--glob --regex -F|--fixed-strings --and=arg -a|--absolute-path " +
				"-l|--list-details -L|--follow -p|--full-path -0|--print0 -d|--max-depth=arg --min-depth=arg --exact-depth=arg -E|--exclude=arg --prune " +
				"-t|--type=arg -e|--extension=arg -S|--size=arg --changed-within=arg --changed-before=arg -o|--owner=arg -x|--exec=argvto " +
				"-X|--exec-batch=argvto --batch-size=arg --ignore-file=read -c|--color=arg -j|--threads=arg --max-results=arg -1 -q|--quiet --show-errors --base-directory=dir --path-separator=arg --search-path=list --strip-cwd-prefix --one-file-system",
		},
		"busybox": argv, "toybox": argv,

		"ssh": {
			Options: "-4 -6 -A -a -B=arg -b=arg -C -c=arg -D=arg -E=write -e=arg -F=codefile -f -G -g -I=run -i=read -J=arg -K -k -L=arg -l=arg " +
				"-M -m=arg -N -n -O=arg -o=sshoption -P=arg -p=arg -Q=arg -q -R=arg -S=arg -s -T -t -V -v -W=arg -w=arg -X -x -Y -y",
			Operands: "host text", Stdin: "foreign", Away: true, Effects: []Effect{Network},
		},
		"docker exec": exec, "docker container exec": exec,
		"docker run": container, "docker create": container,
		"docker container run": container, "docker container create": container,
		"docker compose exec": exec,
		"docker compose run":  container,
		"kubectl exec": {
			Options: "-c|--container=arg -i|--stdin -t|--tty -q|--quiet --pod-running-timeout=arg -f|--filename=read", Operands: "arg argv",
			Away: true, Effects: []Effect{Network},
		},
		"kubectl run": {
			Options:  "--image=arg -i|--stdin -t|--tty --rm --restart=arg --command --env=arg --labels=arg --port=arg --attach -q|--quiet --image-pull-policy=arg --overrides=arg --dry-run?arg -o|--output=arg",
			Operands: "arg argv", Away: true, Effects: []Effect{Network, Run},
		},
		"systemd-run": {
			Options: "-p|--property=arg -u|--unit=arg -E|--setenv=arg --uid=arg --gid=arg --slice=arg --nice=arg --on-active=arg --on-boot=arg --on-calendar=arg " +
				"--on-unit-active=arg --timer-property=arg -H|--host=arg -M|--machine=arg --working-directory=dir -d|--same-dir -t|--pty -P|--pipe -S|--shell " +
				"-q|--quiet -r|--remain-after-exit -G|--collect --scope --user --system --wait --send-sighup --no-block --no-ask-password --description=arg --service-type=arg",
			Operands: "argv",
		},
		"screen": {
			Options: "-dm -d -m -D -R -r -S=arg -s=run -c=codefile -L -Logfile=write -X -p=arg -ls -list -x -t=arg -h=arg", Dash: true, Operands: "argv",
			Modes: []Mode{{When: "-X", Operands: "code..."}},
		},
		"tmux":     {Subcommands: true, Options: "-2~ -C -D -f=codefile -L=arg -l -N -S=arg -T=arg -u~ -v~ -c=line"},
		"tmux new": tmux, "tmux new-session": tmux, "tmux new-window": tmux, "tmux neww": tmux, "tmux split-window": tmux, "tmux splitw": tmux,
		"tmux respawn-pane": tmux, "tmux respawnp": tmux, "tmux respawn-window": tmux, "tmux run-shell": tmux, "tmux run": tmux, "tmux pipe-pane": tmux,
		"tmux if-shell": {Options: "-b -F -t=arg", Operands: "line foreign"}, "tmux if": {Options: "-b -F -t=arg", Operands: "line foreign"},
		"tmux send-keys": {Options: "-F -H -K -l -M -R -X -N=arg -t=arg -c=arg", Operands: "foreign"},
		"tmux send":      {Options: "-F -H -K -l -M -R -X -N=arg -t=arg -c=arg", Operands: "foreign"},
		"at":             {Options: "-f=codefile -q=arg -t=arg -m -M -b -l -d -r -c -v -V", Operands: "arg...", Stdin: "text", Modes: []Mode{{When: "-l -d -r -c -f", Operands: "none"}}},
		"batch":          {Stdin: "text"},
		"crontab":        {Options: "-u=arg -e!run -l -r!delete -i", Operands: "codefile", Modes: []Mode{{When: "-l", Effects: []Effect{Read}, Operands: "none"}, {When: "-e -r", Operands: "none"}}, Stdin: "foreign"},
		"entr": {
			Options: "-a -c -d -n -p -r -s -x -z", Operands: "argv",
			Modes: []Mode{{When: "-s", Operands: "line"}},
		},
		"hyperfine": {
			Options: "-p|--prepare=line -c|--cleanup=line -s|--setup=line -C|--conclude=line -r|--runs=arg -m|--min-runs=arg -M|--max-runs=arg -w|--warmup=arg -n|--command-name=arg " +
				"-S|--shell=arg -N -i|--ignore-failure --style=arg -L|--parameter-list=arg+arg -P|--parameter-scan=arg+arg+arg --export-json=write --export-csv=write " +
				"--export-markdown=write --export-asciidoc=write --export-orgmode=write --show-output --output=arg --input=read -u|--time-unit=arg --sort=arg",
			Operands: "each",
		},
		"nix-shell":   {Options: "-p|--packages --pure -I=arg -A|--attr=arg -E=code --run=line --command=line --keep=arg --arg=arg+arg --argstr=arg+arg", Operands: "arg...", Stdin: "text", Effects: []Effect{Run}},
		"nix":         {Subcommands: true, Options: "--extra-experimental-features=arg~ --experimental-features=arg~"},
		"nix develop": {Options: "-c|--command=argvto -i|--ignore-environment -k|--keep=arg --impure", Operands: "arg...", Stdin: "text", Effects: []Effect{Run}},
		"nix shell":   {Options: "-c|--command=argvto -i|--ignore-environment -k|--keep=arg --impure", Operands: "arg...", Stdin: "text", Effects: []Effect{Run}},
		"npm exec":    {Options: "-p|--package=arg -c|--call=line -w|--workspace=arg --workspaces -y|--yes --no", Operands: "arg...", Modes: []Mode{{When: "--", Operands: "argv"}}, Effects: []Effect{Run, Network}},
		"npm x":       {Options: "-p|--package=arg -c|--call=line -w|--workspace=arg --workspaces -y|--yes --no", Operands: "arg...", Modes: []Mode{{When: "--", Operands: "argv"}}, Effects: []Effect{Run, Network}},
		"npx":         {Options: "-p|--package=arg -c|--call=line -w|--workspace=arg -y|--yes --no|--no-install -q|--quiet", Operands: "script arg...", Effects: []Effect{Run, Network}},
		"pnpm exec":   {Options: "-r|--recursive -c|--shell-mode --parallel --no-reporter-hide-prefix --resume-from=arg", Operands: "argv", Effects: []Effect{Run}, Modes: []Mode{{When: "-c --shell-mode", Operands: "text"}}},
		"yarn exec":   run, "bundle exec": {Options: "--keep-file-descriptors --gemfile=arg", Operands: "argv", Effects: []Effect{Run}},
		"uv run": {
			Options: "--with=arg --with-editable=arg --with-requirements=read -p|--python=arg --env-file=read --no-env-file --directory=dir --project=arg -m|--module=arg -s|--script --gui-script " +
				"--extra=arg --all-extras --group=arg --no-group=arg --only-group=arg --no-default-groups --dev --no-dev --only-dev --all-groups --isolated --active --no-sync --locked --frozen --exact --refresh --all-packages --package=arg --no-project " +
				"-q|--quiet -v|--verbose --offline --index=arg --default-index=arg --index-url|-i=arg --extra-index-url=arg -n|--no-cache --no-progress --reinstall -U|--upgrade",
			Operands: "argv", Effects: []Effect{Run, Network},
			Modes: []Mode{{When: "-m --module -s --script", Operands: "none", Effects: []Effect{Run, Network}}},
		},
		"poetry run": run, "pipenv run": run, "pdm run": run, "hatch run": run, "rye run": run, "devbox run": run, "mise exec": {Options: "-c|--command=line -j|--jobs=arg", Operands: "argv", Modes: []Mode{{When: "--", Operands: "argv"}}},
		"asdf exec": run, "rbenv exec": run, "pyenv exec": run, "direnv exec": {Operands: "dir argv", Effects: []Effect{Run}},
		"conda run": {Options: "-n|--name=arg -p|--prefix=arg -v|--verbose --no-capture-output|--live-stream --cwd=dir --dev --debug-wrapper-scripts", Operands: "argv"},
		"mamba run": {Options: "-n|--name=arg -p|--prefix=arg --cwd=dir -e=arg -d -a=arg", Operands: "argv"},
		"dotenv":    {Options: "-f|--file=read -e=read -c?arg -o -q=arg", Operands: "argv"}, "dotenvx run": {Options: "-f|--env-file=read -e=arg", Operands: "argv"},
		"op run": {Options: "--env-file=read --no-masking --account=arg", Operands: "argv"}, "doppler run": {Options: "-p|--project=arg -c|--config=arg --command=line", Operands: "argv"},
		"aws-vault exec": {Options: "-d|--duration=arg --no-session -n|--no-session -j|--json --region=arg", Operands: "arg argv"},
		"chamber exec":   {Options: "--pristine --strict", Operands: "arg argv"},
		"caffeinate":     {Options: "-d -i -m -s -u -t=arg -w=arg", Operands: "argv"},
		"proxychains4":   {Options: "-q -f=read", Operands: "argv"}, "torsocks": argv, "fakeroot": argv, "faketime": {Options: "-f -m", Operands: "arg argv"},
		"xvfb-run":  {Options: "-a|--auto-servernum -s|--server-args=arg -n|--server-num=arg -e|--error-file=write -f|--auth-file=write", Operands: "argv"},
		"catchsegv": argv, "arch": {Options: "-x86_64 -arm64 -arch=arg", Dash: true, Operands: "argv"},
		"concurrently": {Options: "-n|--names=arg -c|--prefix-colors=arg -k|--kill-others --kill-others-on-fail -s|--success=arg -r|--raw", Operands: "each"},
		"cross-env":    {Operands: "assign argv"}, "retry": {Options: "-t=arg -d=arg", Operands: "argv"},
		"nodemon": {Options: "-w|--watch=arg -e|--ext=arg -x|--exec=line -i|--ignore=arg -q", Operands: "script", Effects: []Effect{Run}},

		"git submodule":         {Subcommands: true, Options: "-q|--quiet~"},
		"git submodule foreach": {Options: "--recursive", Operands: "text"},
		"git bisect":            {Subcommands: true},
		"git bisect run":        {Operands: "argv"},
		"git filter-branch": {
			Options:  "--setup=line --env-filter=line --tree-filter=line --index-filter=line --parent-filter=line --msg-filter=line --commit-filter=line --tag-name-filter=line --subdirectory-filter=arg --original=arg -d=write -f|--force --prune-empty --state-branch=arg",
			Operands: "arg...", Effects: []Effect{Write, Delete},
		},
		"cargo watch": {Options: "-x|--exec=arg -s|--shell=line -w|--watch=arg -c -q", Operands: "argv", Effects: []Effect{Run}},
	}
}
