package bash

func fileTools(rows map[string]Row) {
	const copies = "-a|--archive --attributes-only -b --backup?arg --copy-contents -d -f|--force -i|--interactive -H -l|--link -L|--dereference -n|--no-clobber -P|--no-dereference -p --preserve?arg " +
		"--no-preserve=arg --parents -R|-r|--recursive --reflink?arg --remove-destination --sparse=arg --strip-trailing-slashes -s|--symbolic-link -S|--suffix=arg -t|--target-directory=write$ " +
		"-T|--no-target-directory -u --update?arg -v|--verbose -x|--one-file-system -Z --context?arg -c -X --debug --exchange"
	const owner = "-c|--changes -f|--silent|--quiet -v|--verbose --dereference -h|--no-dereference --preserve-root --no-preserve-root --reference=read^ -R|--recursive -H -L -P --from=arg " +
		"-r^ -w^ -x^ -X^ -s^ -t^ -u^ -g^ -o^ +r^ +w^ +x^ -rw^ -rwx^"
	const compress = "-c|--stdout|--to-stdout -d|--decompress|--uncompress -f|--force -k|--keep -l|--list -n|--no-name -N|--name -q|--quiet -r|--recursive -S|--suffix=arg -t|--test -v|--verbose -# -1 -9 --fast --best -T|--threads=arg -z|--compress -e|--extreme --rm -o=write --ultra --long?arg"
	both := []Effect{Write, Delete}
	for name, row := range map[string]Row{
		"rm":     {Effects: deletes, Options: "-f|--force -i -I --interactive?arg --one-file-system --no-preserve-root --preserve-root?arg -r|-R|--recursive -d|--dir -v|--verbose -P -W -x", Operands: "delete..."},
		"rmdir":  {Effects: deletes, Options: "--ignore-fail-on-non-empty -p|--parents -v|--verbose", Operands: "delete..."},
		"unlink": {Effects: deletes, Operands: "delete"}, "shred": {Effects: both, Options: "-f|--force -n|--iterations=arg --random-source=read -s|--size=arg -u --remove?arg -v -x -z", Operands: "delete..."},
		"trash": {Effects: deletes, Operands: "delete..."}, "srm": {Effects: deletes, Options: "-r -f -v -s -m -z", Operands: "delete..."},
		"cp":   {Effects: []Effect{Read, Write}, Options: copies, Operands: "read... write"},
		"mv":   {Effects: both, Options: copies, Operands: "delete... write"},
		"ln":   {Effects: writesTo, Options: "-b --backup?arg -d -F|--directory -f|--force -i|--interactive -L -n -h|--no-dereference -P|--physical -r|--relative -s|--symbolic -S|--suffix=arg -t|--target-directory=write$ -T|--no-target-directory -v|--verbose -w", Operands: "list... write"},
		"link": {Effects: writesTo, Operands: "list write"},
		"install": {
			Effects: []Effect{Read, Write}, Operands: "read... write", Modes: []Mode{{When: "-d --directory", Effects: writesTo, Operands: "write..."}},
			Options: "-b --backup?arg -c -C|--compare -d|--directory -D -g|--group=arg -m|--mode=arg -o|--owner=arg -p|--preserve-timestamps -s|--strip --strip-program=run -S|--suffix=arg -t|--target-directory=write$ -T -v|--verbose",
		},
		"mkdir": {Effects: writesTo, Options: "-m|--mode=arg -p|--parents -v|--verbose -Z --context?arg", Operands: "write..."}, "mkfifo": {Effects: writesTo, Options: "-m|--mode=arg", Operands: "write..."},
		"mknod": {Effects: writesTo, Options: "-m|--mode=arg", Operands: "write arg..."}, "mktemp": {Effects: writesTo, Options: "-d|--directory -u|--dry-run -q|--quiet -p --tmpdir?arg --suffix=arg -t", Operands: "arg"},
		"touch":    {Effects: writesTo, Options: "-a -c|--no-create -d|--date=arg -f -h|--no-dereference -m -r|--reference=read -t=arg --time=arg", Operands: "write..."},
		"truncate": {Effects: writesTo, Options: "-c|--no-create -o|--io-blocks -r|--reference=read -s|--size=arg", Operands: "write..."}, "fallocate": {Effects: writesTo, Options: "-l|--length=arg -o|--offset=arg -n -p -z", Operands: "write"},
		"tee": {Effects: writesTo, Options: "-a|--append -i|--ignore-interrupts -p --output-error?arg", Operands: "write..."}, "sponge": {Effects: writesTo, Options: "-a", Operands: "write"},
		"dd":    {Effects: []Effect{Read, Write}, Options: "if=read of=write bs=arg count=arg skip=arg seek=arg conv=arg status=arg ibs=arg obs=arg iflag=arg oflag=arg cbs=arg", Operands: "arg..."},
		"chmod": {Effects: writesTo, Options: owner, Operands: "arg write..."}, "chown": {Effects: writesTo, Options: owner, Operands: "arg write..."}, "chgrp": {Effects: writesTo, Options: owner, Operands: "arg write..."},
		"chattr": {Effects: writesTo, Options: "-R -V -f -i -a +i +a", Operands: "arg write..."}, "setfacl": {Effects: writesTo, Options: "-m=arg -x=arg -b -k -R -d", Operands: "write..."}, "xattr": {Effects: writesTo, Options: "-l -p -w -d -c -r -s", Operands: "arg..."},
		"ls": {
			Effects: reads, Operands: "list...",
			Options: "-a|--all -A|--almost-all --author -b|--escape --block-size=arg -B|--ignore-backups -c -C --color?arg -d|--directory -f -F --classify?arg --file-type --format=arg --full-time -g --group-directories-first -G|--no-group -h|--human-readable --si -H " +
				"--hide=arg --hyperlink?arg --indicator-style=arg -i|--inode -I|--ignore=arg -k -l -L|--dereference -m -n -N -o -p -q -Q --quoting-style=arg -r|--reverse -R|--recursive -s|--size -S --sort=arg --time=arg --time-style=arg -t -T=arg -u -U -v -w|--width=arg -x -X -Z -1 --zero -@ -e -O",
		},
		"dir": {Effects: reads, Options: "-a -l -1", Operands: "list..."}, "exa": {Effects: reads, Operands: "list..."}, "eza": {Effects: reads, Options: "-l -a -T --tree -L|--level=arg --git -1 -R --icons", Operands: "list..."},
		"tree": {Effects: reads, Options: "-a -d -l -f -x -L=arg -R -P=arg -I=arg --gitignore --prune --noreport --charset=arg --filelimit=arg -q -N -Q -p -u -g -s -h --du -D -F -v -t -c -U -r --dirsfirst --sort=arg -n -C -i -A -S -X -J -H=arg -T=arg -o=write --matchdirs --ignore-case", Operands: "list..."},
		"stat": {Effects: reads, Options: "-L|--dereference -f|--file-system -c|--format=arg --printf=arg -t|--terse -x -n -s", Operands: "list..."}, "file": {Effects: reads, Options: "-b|--brief -i|--mime --mime-type -L|--dereference -h -z -k -f|--files-from=read -F=arg -s -0", Operands: "list..."},
		"readlink": {Effects: reads, Options: "-f|--canonicalize -e -m -n -q -s -v -z", Operands: "list..."}, "realpath": {Effects: reads, Options: "-e -m -L -P -q -s|--strip|--no-symlinks -z --relative-to=list --relative-base=list", Operands: "list..."},
		"basename": {Options: "-a|--multiple -s|--suffix=arg -z", Operands: "arg..."}, "dirname": {Options: "-z", Operands: "arg..."}, "pathchk": {Options: "-p -P", Operands: "arg..."},
		"du": {Effects: reads, Options: "-0 -a|--all --apparent-size -b|--bytes -B|--block-size=arg -c|--total -D -d|--max-depth=arg --files0-from=read -h|--human-readable -H --inodes -k -L -l -m -P -S -s|--summarize -t|--threshold=arg --time?arg -x|--one-file-system -X|--exclude-from=read --exclude=arg", Operands: "list..."},
		"df": {Effects: reads, Options: "-a -B=arg -h|--human-readable -H -i -k -l -P -T|--print-type -t=arg -x=arg --output?arg --total", Operands: "list..."},
		"tar": {
			Effects: []Effect{Read, Write}, Operands: "arg...", Bundle: true,
			Options: "-f|--file=write -A|--catenate -c|--create -d|--diff|--compare --delete -r|--append -t|--list -u|--update -x|--extract|--get -C|--directory=dir -z|--gzip|--gunzip -j|--bzip2 -J|--xz --zstd --lzma -Z -a|--auto-compress " +
				"-v|--verbose -p|--preserve-permissions -k|--keep-old-files -O|--to-stdout -h|--dereference -m|--touch -o|--no-same-owner -P|--absolute-names!write -s -S|--sparse -T|--files-from=read -X|--exclude-from=read --exclude=arg --exclude-vcs --strip-components=arg --wildcards --no-recursion --overwrite " +
				"--transform|--xform=arg -I|--use-compress-program=run --to-command=run --checkpoint?arg --checkpoint-action=checkpoint -F|--info-script|--new-volume-script=run --rsh-command=run --rmt-command=run --owner=arg --group=arg --mode=arg --mtime=arg --sort=arg --numeric-owner -b=arg -w -l -n -W -i -g|--listed-incremental=write --index-file=write --remove-files!delete --totals --same-owner --unlink-first --one-top-level?arg --warning=arg --null --format=arg --no-same-permissions",
			Modes: []Mode{
				{When: "-c --create -r --append -u --update -A --catenate --delete", Effects: []Effect{Read, Write}, Options: "-f|--file=write -C|--directory=list", Operands: "read..."},
				{When: "-t --list -d --diff --compare", Effects: reads, Options: "-f|--file=read", Operands: "arg..."},
				{When: "-x --extract --get", Effects: []Effect{Read, Write}, Options: "-f|--file=read -C|--directory=into", Operands: "arg..."},
			},
		},
		"zip":   {Effects: []Effect{Read, Write}, Options: "-r|--recurse-paths -q|--quiet -9 -# -j|--junk-paths -m|--move!delete -u|--update -d|--delete -e|--encrypt -x=arg -i=arg -y -T|--test -TT|--unzip-command=run -v -X -@ -b=arg -O|--output-file=write -P=arg", Dash: true, Operands: "write read..."},
		"unzip": {Effects: []Effect{Read, Write}, Options: "-o -n -q -l -t -v -d=write -j -x=arg -p -z -Z -u -f -C -P=arg", Operands: "read arg...", Modes: []Mode{{When: "-l -t -v -p -z -Z", Effects: reads, Operands: "read arg..."}}},
		"gzip":  {Effects: both, Options: compress, Operands: "write..."}, "gunzip": {Effects: both, Options: compress, Operands: "write..."}, "bzip2": {Effects: both, Options: compress, Operands: "write..."},
		"xz": {Effects: both, Options: compress, Operands: "write..."}, "zstd": {Effects: both, Options: compress, Operands: "write..."}, "unxz": {Effects: both, Options: compress, Operands: "write..."}, "bunzip2": {Effects: both, Options: compress, Operands: "write..."},
		"zcat": {Effects: reads, Options: "-f", Operands: "read..."}, "xzcat": {Effects: reads, Operands: "read..."}, "bzcat": {Effects: reads, Operands: "read..."}, "zless": {Effects: reads, Operands: "read..."},
		"7z": {Effects: []Effect{Read, Write}, Operands: "arg write read..."}, "cpio": {Effects: []Effect{Read, Write}, Options: "-i -o -p -d -m -u -v -t -F=write --to-stdout -D=dir -H=arg -0 -I=read -O=write --rsh-command=run --quiet", Operands: "arg..."},
		"split":  {Effects: []Effect{Read, Write}, Options: "-a=arg --additional-suffix=arg -b|--bytes=arg -C=arg -d --numeric-suffixes?arg -e --filter=run -l|--lines=arg -n|--number=arg -t=arg -u --verbose -#", Operands: "read arg"},
		"csplit": {Effects: []Effect{Read, Write}, Options: "-b=arg -f|--prefix=arg -k -n=arg -s|--quiet -z", Operands: "read arg..."},
		"patch": {
			Effects: []Effect{Write, Delete, Run}, Operands: "write read",
			Options: "-p|--strip=arg -# -i|--input=read -R|--reverse -N|--forward -d|--directory=dir -o|--output=write -b|--backup --dry-run -f|--force -t|--batch -s|--quiet --silent -E -l -u -c -e|--ed!run -n -F|--fuzz=arg -r|--reject-file=write -z=arg -V=arg --no-backup-if-mismatch --merge -v|--verbose",
		},
		"rsync": {
			Effects: []Effect{Read, Write, Network}, Operands: "pull... push",
			Options: "-a|--archive -v|--verbose -q|--quiet -c|--checksum -r|--recursive -R|--relative -u|--update -l|--links -L|--copy-links -H -p|--perms -E -A -X -o|--owner -g|--group -D -t|--times -O -S -n|--dry-run -W -x -h|--human-readable -i -z|--compress -P --partial --progress --stats " +
				"--delete!delete --delete-after!delete --delete-before!delete --delete-during!delete --delete-excluded!delete --del!delete --remove-source-files!delete --force --exclude=arg --exclude-from=read --include=arg --include-from=read --files-from=read -f|--filter=arg -F -C " +
				"-e|--rsh=run --rsync-path=run --log-file=write --temp-dir|-T=arg --bwlimit=arg --timeout=arg --port=arg --password-file=read --info=arg --chmod=arg --chown=arg --max-size=arg --min-size=arg --ignore-existing --existing --inplace --append --backup --backup-dir=write --suffix=arg --link-dest=read --compare-dest=read --copy-dest=read --size-only --numeric-ids -4 -6 -M|--remote-option=arg!run --write-batch=write --read-batch=read --mkpath -0 -s -d --no-perms --no-owner --no-group --safe-links --prune-empty-dirs|-m --itemize-changes --out-format=arg",
		},
		"mount": {Effects: writesTo, Operands: "arg..."}, "umount": {Effects: writesTo, Operands: "arg..."}, "mkfs": {Effects: deletes, Operands: "write..."}, "wipefs": {Effects: deletes, Options: "-a -f -n", Operands: "delete..."}, "fdisk": {Effects: both, Options: "-l", Operands: "write..."},
		"open": {Effects: runs, Operands: "arg..."}, "xdg-open": {Effects: runs, Operands: "arg..."}, "locate": {Effects: reads, Options: "-i -l=arg -n=arg -c -r=arg -d=read", Operands: "arg..."}, "updatedb": {Effects: writesTo}, "sync": {Effects: writesTo, Operands: "arg..."},
		"ditto": {Effects: []Effect{Read, Write}, Operands: "read... write"}, "rename": {Effects: both, Options: "-n -v -f", Operands: "code write..."}, "cmd": {},
	} {
		rows[name] = row
	}
	delete(rows, "cmd")
}

func systemTools(rows map[string]Row) {
	read := Row{Effects: reads, Operands: "arg..."}
	for name, row := range map[string]Row{
		"date":  {Options: "-d|--date=arg -f|--file=read -I --iso-8601?arg -R|--rfc-email --rfc-3339=arg -r|--reference=arg -s|--set=arg!write -u|--utc|--universal -j -v=arg -n", Operands: "arg..."},
		"sleep": {Operands: "arg..."}, "uname": {Options: "-a|--all -s -n -r -v -m -p -i -o"}, "hostname": {Options: "-f -i -I -s -d -A", Operands: "arg", Effects: reads}, "whoami": {}, "id": {Options: "-u -g -G -n -r", Operands: "arg..."}, "groups": {Operands: "arg..."},
		"who": read, "w": read, "users": read, "tty": {Options: "-s"}, "logname": {}, "nproc": {Options: "--all --ignore=arg"}, "arch": {}, "uptime": {Options: "-p -s"}, "free": {Options: "-b -k -m -g -h|--human -s=arg -t -w -l"}, "lscpu": {}, "lsblk": {Options: "-a -f -o=arg -J -n -l -p"}, "lsusb": {}, "lspci": {}, "vmstat": read, "iostat": read,
		"ps": {Effects: reads, Options: "-a -A -e -f -l -u=arg -U=arg -x -o=arg -p=arg -C=arg -w -H -j -L -t=arg -d -r -m -c --sort=arg --no-headers --forest --pid=arg --ppid=arg", Operands: "arg..."}, "pgrep": {Effects: reads, Options: "-f|--full -l -a -u=arg -x -n -o -P=arg -c -i -d=arg -v -g=arg -t=arg", Operands: "arg..."},
		"pstree": read, "top": {Effects: reads, Options: "-b -n=arg -d=arg -p=arg -u=arg -H -o=arg -l=arg -s=arg -1"}, "htop": {Effects: reads}, "lsof": {Effects: reads, Options: "-i -n -P -p=arg -t -u=arg -c=arg -a +D=list +d=list -F=arg -s -U", Operands: "list..."}, "fuser": {Effects: reads, Options: "-k!delete -v -n=arg -i -m", Operands: "list..."},
		"pkill": {Effects: writesTo, Options: "-f|--full -u=arg -x -n -o -P=arg -# -9 -i -e --signal=arg -HUP -INT -KILL -TERM", Operands: "arg..."}, "killall": {Effects: writesTo, Options: "-9 -# -e -i -I -q -r -s=arg -u=arg -v -w", Operands: "arg..."}, "renice": {Effects: writesTo, Operands: "arg..."},
		"which": {Options: "-a -s", Operands: "arg..."}, "whereis": {Options: "-b -m -s", Operands: "arg..."}, "whatis": read, "apropos": read, "printenv": {Options: "-0", Operands: "arg...", Effects: reads}, "locale": {Options: "-a -m"}, "getconf": {Operands: "arg..."}, "tput": {Operands: "arg..."}, "clear": {}, "reset": {}, "stty": {Operands: "arg..."}, "cal": {Options: "-# -3 -y -j", Operands: "arg..."},
		"man": {Effects: reads, Options: "-P|--pager=run -H|--html?run -k -f -K -a -w|--where -l|--local-file -S|-s=arg -M=arg -C=codefile -L=arg -T?arg -X?arg -Z -t -7 -p=arg -r=arg -E=arg -i -I -W", Operands: "arg..."}, "info": read, "tldr": {Effects: network, Operands: "arg..."}, "help": {Options: "-d -m -s", Operands: "arg..."},
		"journalctl": {Effects: reads, Options: "-u|--unit=arg -f|--follow -n|--lines=arg -e -r|--reverse -o|--output=arg --since|-S=arg --until|-U=arg -p|--priority=arg -b -k|--dmesg --no-pager -x -g|--grep=arg -t=arg --user --system --vacuum-size=arg!delete --vacuum-time=arg!delete --vacuum-files=arg!delete --rotate!write --flush!write --disk-usage --list-boots -D|--directory=read --file=read --no-hostname -q -a --utc", Operands: "arg..."},
		"dmesg":      {Effects: reads, Options: "-T|--ctime -w|--follow -H -l=arg -k -C|--clear!delete -c!delete"}, "systemctl": {Subcommands: true, Options: "--user~ --system~ --no-pager~ -q|--quiet~ -l|--full~ -a|--all~ -t|--type=arg~ --state=arg~ -H|--host=arg -M|--machine=arg --now --root=arg", Global: true},
		"systemctl status": read, "systemctl list-units": read, "systemctl is-active": read, "systemctl is-enabled": read, "systemctl show": read, "systemctl cat": read, "systemctl list-unit-files": read, "systemctl list-timers": read,
		"systemctl start": {Effects: builds, Operands: "arg..."}, "systemctl stop": {Effects: writesTo, Operands: "arg..."}, "systemctl restart": {Effects: builds, Operands: "arg..."}, "systemctl reload": {Effects: builds, Operands: "arg..."}, "systemctl enable": {Effects: builds, Operands: "arg..."}, "systemctl disable": {Effects: writesTo, Operands: "arg..."}, "systemctl daemon-reload": {Effects: writesTo}, "systemctl kill": {Effects: writesTo, Options: "-s|--signal=arg", Operands: "arg..."},
		"service": {Effects: builds, Operands: "arg..."}, "launchctl": {Effects: builds, Operands: "arg..."}, "sysctl": {Effects: reads, Options: "-a -n -w!write -p?read!write -e", Operands: "arg..."}, "modprobe": {Effects: builds, Operands: "arg..."}, "reboot": {Effects: writesTo}, "shutdown": {Effects: writesTo, Operands: "arg..."}, "halt": {Effects: writesTo}, "poweroff": {Effects: writesTo},
		"useradd": {Effects: writesTo, Operands: "arg..."}, "userdel": {Effects: deletes, Operands: "arg..."}, "usermod": {Effects: writesTo, Operands: "arg..."}, "groupadd": {Effects: writesTo, Operands: "arg..."}, "passwd": {Effects: writesTo, Operands: "arg"}, "iptables": {Effects: writesTo, Operands: "arg..."}, "ufw": {Effects: writesTo, Operands: "arg..."},
		"pbcopy": {Effects: writesTo}, "pbpaste": {Effects: reads}, "xclip": {Effects: writesTo, Options: "-selection=arg -sel=arg -i -o -in -out -d=arg", Dash: true, Operands: "read..."}, "notify-send": {Operands: "arg..."}, "say": {Operands: "arg..."}, "logger": {Effects: writesTo, Operands: "arg..."}, "defaults": {Effects: writesTo, Operands: "arg..."},
		"gpg": {Effects: []Effect{Read, Write, Network}, Operands: "read..."}, "openssl": {Effects: []Effect{Read, Write}, Operands: "arg..."}, "ssh-keygen": {Effects: writesTo, Options: "-t=arg -b=arg -C=arg -f=write -N=arg -l -q -y -p -R=arg -F=arg -E=arg -D=run -P=arg", Operands: "arg..."}, "ssh-add": {Effects: writesTo, Options: "-l -L -D -d -K -t=arg -s=run -e=arg", Operands: "read..."}, "ssh-agent": {Effects: runs, Options: "-s -k -c"},
	} {
		rows[name] = row
	}
}

func networkTools(rows map[string]Row) {
	host := Row{Effects: network, Operands: "host..."}
	for name, row := range map[string]Row{
		"curl": {
			Effects: network, Operands: "host...",
			Options: "-o|--output=write -O|--remote-name&base --remote-name-all&base -J|--remote-header-name!write --output-dir=into --create-dirs -d|--data|--data-ascii=at --data-binary=at --data-raw=arg --data-urlencode=at --json=at -F|--form=formfile --form-string=arg -T|--upload-file=read -X|--request=arg " +
				"-H|--header=at -A|--user-agent=arg -e|--referer=arg -b|--cookie=arg -c|--cookie-jar=write -D|--dump-header=write -u|--user=arg -x|--proxy=arg -U|--proxy-user=arg -L|--location --location-trusted -s|--silent -S|--show-error -f|--fail --fail-with-body -i|--include -I|--head -v|--verbose -k|--insecure -w|--write-out=at " +
				"-G|--get -m|--max-time=arg --connect-timeout=arg --retry=arg --retry-delay=arg --retry-max-time=arg --retry-all-errors --retry-connrefused -C|--continue-at=arg -r|--range=arg -K|--config=codefile -E|--cert=read --key=read --cacert=read --capath=read --compressed -N|--no-buffer -n|--netrc --netrc-file=read " +
				"-q|--disable -Q|--quote=arg -R|--remote-time -z|--time-cond=arg -Z|--parallel -4|--ipv4 -6|--ipv6 -0|--http1.0 --http1.1 --http2 --http3 --tlsv1.2 --tlsv1.3 --resolve=arg --interface=arg --unix-socket=arg --noproxy=arg --trace=write --trace-ascii=write --stderr=write --url=host --url-query=arg -# --progress-bar --no-progress-meter --oauth2-bearer=arg --aws-sigv4=arg --limit-rate=arg --max-redirs=arg --proto=arg --proto-redir=arg -g|--globoff --path-as-is -a|--append -B -l|--list-only -M|--manual -p|--proxytunnel --etag-save=write --etag-compare=read --hsts=write --alt-svc=write --libcurl=write --digest --basic --ntlm --negotiate -Y=arg -y=arg -t=arg -P=arg",
		},
		"wget": {
			Effects: fetches, Operands: "base...", Modes: []Mode{{When: "-O --output-document --spider", Effects: fetches, Operands: "host..."}},
			Options: "-O|--output-document=write -o|--output-file=write -a|--append-output=write -P|--directory-prefix=into -q|--quiet -v|--verbose -nv|--no-verbose -c|--continue -N|--timestamping -r|--recursive -l|--level=arg -k|--convert-links -p|--page-requisites -m|--mirror -np|--no-parent -nc|--no-clobber -nd -nH -x -E -A|--accept=arg -R|--reject=arg -D|--domains=arg -S|--server-response --spider -T|--timeout=arg -t|--tries=arg -w|--wait=arg -U|--user-agent=arg -i|--input-file=read " +
				"--header=arg --post-data=arg --post-file=read --method=arg --body-data=arg --body-file=read --user=arg --password=arg --ask-password --use-askpass=run -e|--execute=code --config=codefile --no-check-certificate --content-disposition --trust-server-names --load-cookies=read --save-cookies=write --certificate=read --private-key=read --ca-certificate=read -4 -6 -b|--background --show-progress --progress=arg --limit-rate=arg --no-proxy -H -L -F -B=arg -Q=arg -X=arg -I=arg --retry-connrefused --waitretry=arg --read-timeout=arg --dns-timeout=arg --delete-after!delete --warc-file=write --rejected-log=write",
		},
		"http": {Effects: network, Operands: "arg..."}, "https": {Effects: network, Operands: "arg..."}, "xh": {Effects: network, Operands: "arg..."}, "aria2c": {Effects: fetches, Operands: "base..."}, "yt-dlp": {Effects: fetches, Operands: "arg..."},
		"scp":  {Effects: transfers, Options: "-3 -4 -6 -A -B -C -c=arg -D=run -F=codefile -i=read -J=arg -l=arg -o=sshoption -O -P=arg -p -q -R -r -S=run -s -T -v -X=arg", Operands: "pull... push"},
		"sftp": {Effects: transfers, Options: "-b=codefile -B=arg -C -c=arg -D=run -F=codefile -i=read -J=arg -o=sshoption -P=arg -p -q -r -S=run -s=arg -v -R=arg", Operands: "host", Stdin: "code"},
		"ftp":  {Effects: transfers, Stdin: "code", Operands: "host..."}, "telnet": host, "nc": {Effects: network, Options: "-e=run -c=run -l -v -z -u -w=arg -p=arg -n -k -4 -6 -q=arg -s=arg -N -d -i=arg -U -X=arg -x=arg", Operands: "host..."}, "ncat": {Effects: network, Options: "-e|--exec=run -c|--sh-exec=run --lua-exec=codefile -l -v -z -u -w=arg -p=arg -n -k --ssl -o=write", Operands: "host..."}, "netcat": {Effects: network, Options: "-e=run -c=run -l -v -z -u -w=arg -p=arg -n", Operands: "host..."}, "socat": {Effects: []Effect{Network, Run, Write}, Operands: "code..."},
		"ping": {Effects: network, Options: "-c=arg -i=arg -w=arg -W=arg -n -q -4 -6 -s=arg -t=arg -I=arg -f -v", Operands: "host..."}, "ping6": host, "traceroute": host, "tracepath": host, "mtr": host, "dig": {Effects: network, Options: "-t=arg -x=arg -4 -6 -p=arg -f=read -k=read -q=arg -c=arg -r +short +noall +answer", Operands: "host..."}, "nslookup": host, "host": {Effects: network, Options: "-t=arg -a -v -4 -6", Operands: "host..."}, "whois": host, "nmap": {Effects: network, Operands: "host..."},
		"netstat": {Effects: reads, Options: "-a -n -t -u -l -p -r -i -s -e -c"}, "ss": {Effects: reads, Options: "-a -n -t -u -l -p -r -i -s -e -o -m -x -4 -6 -H", Operands: "arg..."}, "ifconfig": {Effects: reads, Operands: "arg..."}, "ip": {Subcommands: true, Options: "-4~ -6~ -br~ -j~ -s~ -d~ -o~ -c~"}, "ip addr": {Effects: writesTo, Operands: "arg...", Modes: []Mode{{When: "", Effects: reads}}}, "ip route": {Effects: writesTo, Operands: "arg...", Modes: []Mode{{When: "", Effects: reads}}}, "ip link": {Effects: writesTo, Operands: "arg...", Modes: []Mode{{When: "", Effects: reads}}}, "ip a": {Effects: reads}, "arp": {Effects: reads, Options: "-a -n"},
		"tcpdump": {Effects: []Effect{Network, Read}, Options: "-i=arg -n -nn -v -c=arg -w=write -r=read -z=run -s=arg -A -X -x -e -q -t -G=arg -C=arg -W=arg -F=read -D -l -p -U -Z=arg -K -S -E=arg", Operands: "arg..."},
	} {
		rows[name] = row
	}
}
