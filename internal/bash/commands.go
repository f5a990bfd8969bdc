package bash

// The effects that rows share.
var (
	reads     = []Effect{Read}
	writesTo  = []Effect{Write}
	deletes   = []Effect{Delete}
	runs      = []Effect{Run}
	network   = []Effect{Network}
	builds    = []Effect{Run, Write}
	fetches   = []Effect{Network, Write}
	installs  = []Effect{Network, Run, Write}
	transfers = []Effect{Network, Read, Write}
)

// commands are the programs of which it is known what they do.
func commands() map[string]Row {
	rows := make(map[string]Row, 600)
	for _, add := range [...]func(map[string]Row){shellBuiltins, textTools, fileTools, systemTools, networkTools, interpreters, gitCommands, buildTools, cloudTools} {
		add(rows)
	}
	return rows
}

func shellBuiltins(rows map[string]Row) {
	const declares = "-a -A -f -F -g -i&evaluated -I -l -n&evaluated -p -r -t -u -x +a +A +i +n +r +x +l +u"
	for name, row := range map[string]Row{
		"true": {}, "false": {}, ":": {}, "exit": {Operands: "arg"}, "return": {Operands: "arg"}, "break": {Operands: "arg"}, "continue": {Operands: "arg"},
		"echo": {Options: "-n -e -E -*", Operands: "arg..."}, "printf": {Options: "-v=name -*", Operands: "arg..."}, "pwd": {Options: "-L -P"},
		"cd":       {Options: "-L -P -e -@", Operands: "cd", Modes: []Mode{{When: "", Operands: "home"}}},
		"pushd":    {Options: "-n", Operands: "cd"},
		"popd":     {Options: "-n", Operands: "back", Modes: []Mode{{When: "", Operands: "back"}}},
		"dirs":     {Options: "-c -l -p -v"},
		"test":     {Options: testOptions, Operands: "arg...", Dash: true, Effects: reads},
		"[":        {Options: testOptions, Operands: "arg...", Dash: true, Effects: reads},
		"shift":    {Operands: "arg"},
		"set":      {Options: "-a -b -e -f -h -k -m -n -p -t -u -v -x -B -C -E -H -P -T -o=arg +a +b +e +f +h +m +u +v +x +B +C +E +H +o=arg", Operands: "arg..."},
		"shopt":    {Options: "-s -u -p -q -o", Operands: "arg..."},
		"unset":    {Options: "-f -v -n", Operands: "name...", Modes: []Mode{{When: "-f", Operands: "arg..."}}},
		"export":   {Options: "-f -n -p", Operands: "expr...", Modes: []Mode{{When: "-f", Operands: "arg..."}}},
		"readonly": {Options: "-a -A -f -p", Operands: "arg..."},
		"declare":  {Options: declares, Operands: "expr..."}, "typeset": {Options: declares, Operands: "expr..."}, "local": {Options: declares, Operands: "expr..."},
		"let":     {Operands: "arg..."},
		"read":    {Options: "-a=name -d=arg -e -i=arg -n=arg -N=arg -p=arg -r -s -t=arg -u=arg", Operands: "name..."},
		"getopts": {Operands: "arg name arg..."}, "wait": {Options: "-f -n -p=name", Operands: "arg..."}, "umask": {Options: "-p -S", Operands: "arg"},
		"ulimit": {Options: "-S -H -a -b -c -d -e -f -i -k -l -m -n -p -q -r -s -t -u -v -x -P -R -T -#", Operands: "arg..."},
		"type":   {Options: "-a -f -P -p -t", Operands: "arg..."}, "hash": {Options: "-r -p=arg!run -d -l -t", Operands: "arg..."},
		"enable": {Options: "-a -d -f=arg!run -n -p -s", Operands: "arg..."}, "alias": {Options: "-p", Operands: "alias"}, "unalias": {Options: "-a", Operands: "arg..."},
		"history": {Options: "-c -d=arg -a!write -n -r -w!write -p -s", Operands: "arg...", Modes: []Mode{{When: "-a -w", Operands: "write", Effects: writesTo}, {When: "-r -n", Operands: "read"}}},
		"times":   {}, "disown": {Options: "-a -h -r", Operands: "arg..."}, "bg": {Operands: "arg..."}, "fg": {Operands: "arg..."}, "suspend": {Options: "-f"}, "logout": {}, "caller": {Operands: "arg"},
		"kill": {Options: "-s=arg -n=arg -l -L -# -9 -HUP -INT -KILL -TERM -STOP -CONT -USR1 -USR2 -QUIT", Dash: true, Operands: "arg...", Effects: writesTo},
	} {
		rows[name] = row
	}
}

const testOptions = "-a -b -c -d -e -f -g -h -k -p -r -s -t -u -w -x -G -L -N -O -S -z -n -o -eq -ne -lt -le -gt -ge -nt -ot -ef -v=expr -R=expr"

func textTools(rows map[string]Row) {
	const grep = "-A|--after-context=arg -B|--before-context=arg -C|--context=arg -# -E|--extended-regexp -F|--fixed-strings -G|--basic-regexp -P|--perl-regexp " +
		"-e|--regexp=arg^ -f|--file=read^ -i|-y|--ignore-case --no-ignore-case -v|--invert-match -w|--word-regexp -x|--line-regexp -c|--count --color?arg --colour?arg " +
		"-L|--files-without-match -l|--files-with-matches -m|--max-count=arg -o|--only-matching -q|--quiet|--silent -s|--no-messages -b|--byte-offset " +
		"-H|--with-filename -h|--no-filename --label=arg -n|--line-number -T|--initial-tab -Z|--null -a|--text --binary-files=arg -D|--devices=arg -d|--directories=arg " +
		"--exclude=arg --exclude-from=read --exclude-dir=arg -I --include=arg -r|--recursive -R|--dereference-recursive --line-buffered -U|--binary -z|--null-data"
	const awk = "-F|--field-separator=arg -v|--assign=arg -f|--file=codefile^ -e|--source=awk^ -i|--include=code -l|--load=code -o|--pretty-print?write -p|--profile?write -d|--dump-variables?write " +
		"-S|--sandbox -P|--posix -c|--traditional -n|--non-decimal-data -N|--use-lc-numeric -b|--characters-as-bytes -O|--optimize -t|--lint-old -L --lint?arg -M|--bignum -r|--re-interval"
	sed := Row{
		Effects: reads, Operands: "sed read...",
		Options: "-n|--quiet|--silent -e|--expression=sed^ -f|--file=codefile^ -E|-r|--regexp-extended -i|--in-place?arg&write -l|--line-length=arg -s|--separate -u|--unbuffered -z|--null-data " +
			"--posix --debug --sandbox --follow-symlinks -b|--binary",
	}
	for name, row := range map[string]Row{
		"cat": {Effects: reads, Options: "-A|--show-all -b|--number-nonblank -e -E|--show-ends -n|--number -s|--squeeze-blank -t -T|--show-tabs -u -v|--show-nonprinting", Operands: "read..."},
		"tac": {Effects: reads, Options: "-b|--before -r|--regex -s|--separator=arg", Operands: "read..."}, "rev": {Effects: reads, Operands: "read..."},
		"bat":  {Effects: reads, Options: "-A -p|--plain -l|--language=arg -n|--number --color=arg --style=arg --theme=arg -r|--line-range=arg -H|--highlight-line=arg --paging=arg --pager=run -P --wrap=arg", Operands: "read..."},
		"head": {Effects: reads, Options: "-# -c|--bytes=arg -n|--lines=arg -q|--quiet|--silent -v|--verbose -z|--zero-terminated", Operands: "read..."},
		"tail": {Effects: reads, Options: "-# +# -c|--bytes=arg -f --follow?arg -F -n|--lines=arg --pid=arg -q|--quiet|--silent --retry -s|--sleep-interval=arg -v|--verbose -z|--zero-terminated -r", Operands: "read..."},
		"less": {
			Effects: reads, Operands: "read...",
			Options: "-a -A -b=arg -B -c -C -e -E -f -F -g -G -h=arg -i -I -j=arg -J -k=codefile -K -L -m -M -n -N -o|--log-file=write -O=write -p=arg -P=arg -q -Q -r -R -s -S -t=arg -T=read -u -U -V -w -W -x=arg -X -y=arg -z=arg -# -~ +=arg!run",
		},
		"more": {Effects: reads, Options: "-d -l -e -f -p -c -s -u -n|--lines=arg -# +=arg", Operands: "read..."},
		"grep": {Effects: reads, Options: grep, Operands: "arg read..."},
		"rg": {
			Effects: reads, Operands: "arg list...", Modes: []Mode{{When: "--files --type-list", Operands: "list...", Effects: reads}},
			Options: "-A|--after-context=arg -B|--before-context=arg -C|--context=arg -e|--regexp=arg^ -f|--file=read^ -g|--glob=arg --iglob=arg -i|--ignore-case -S|--smart-case -s|--case-sensitive " +
				"-v|--invert-match -w|--word-regexp -x|--line-regexp -F|--fixed-strings -P|--pcre2 -U|--multiline --multiline-dotall -c|--count --count-matches --color=arg --colors=arg --column -n|--line-number -N|--no-line-number " +
				"-l|--files-with-matches --files-without-match --files -o|--only-matching -q|--quiet -r|--replace=arg --hidden -. --no-ignore --no-ignore-vcs --no-config -u|--unrestricted --no-heading --heading -H|--with-filename " +
				"-I|--no-filename -t|--type=arg -T|--type-not=arg --type-list --type-add=arg -m|--max-count=arg -d|--max-depth|--maxdepth=arg --max-filesize=arg -M|--max-columns=arg --max-columns-preview -j|--threads=arg --json --vimgrep --stats " +
				"--sort=arg --sortr=arg -L|--follow -a|--text -z|--search-zip -0|--null --trim --passthru --no-messages -p|--pretty --pre=run --pre-glob=arg --hostname-bin=run --ignore-file=read --engine=arg --encoding=arg -E=arg -b|--byte-offset --debug --trace " +
				"--one-file-system --no-ignore-parent --no-require-git --context-separator=arg --line-buffered --crlf",
		},
		"ag":  {Effects: reads, Options: "-i -l -n -A=arg -B=arg -C=arg -G=arg -Q -w -v -c -o -g=arg^ --hidden --ignore=arg --nocolor --pager=run --python --js", Operands: "arg list..."},
		"sed": sed,
		"awk": {Effects: reads, Options: awk, Operands: "awk read..."}, "gawk": {Effects: reads, Options: awk, Operands: "awk read...", Modes: []Mode{{When: "-i --include", Effects: []Effect{Read, Run, Write}, Operands: "awk write..."}}},
		"sort": {
			Effects: reads, Operands: "read...",
			Options: "-b|--ignore-leading-blanks -d|--dictionary-order -f|--ignore-case -g|--general-numeric-sort -i|--ignore-nonprinting -M|--month-sort -h|--human-numeric-sort -n|--numeric-sort " +
				"-R|--random-sort --random-source=read -r|--reverse --sort=arg -V|--version-sort --batch-size=arg -c -C --check?arg --compress-program=run --debug --files0-from=read -k|--key=arg -m|--merge " +
				"-o|--output=write -s|--stable -S|--buffer-size=arg -t|--field-separator=arg -T|--temporary-directory=arg --parallel=arg -u|--unique -z|--zero-terminated",
		},
		"uniq":  {Effects: reads, Options: "-c|--count -d|--repeated -D --all-repeated?arg -f|--skip-fields=arg --group?arg -i|--ignore-case -s|--skip-chars=arg -u|--unique -z|--zero-terminated -w|--check-chars=arg", Operands: "read write"},
		"wc":    {Effects: reads, Options: "-c|--bytes -m|--chars -l|--lines --files0-from=read -L|--max-line-length -w|--words --total=arg", Operands: "read..."},
		"cut":   {Effects: reads, Options: "-b|--bytes=arg -c|--characters=arg -d|--delimiter=arg -f|--fields=arg -n --complement -s|--only-delimited --output-delimiter=arg -z|--zero-terminated", Operands: "read..."},
		"tr":    {Options: "-c|-C|--complement -d|--delete -s|--squeeze-repeats -t|--truncate-set1", Operands: "arg..."},
		"paste": {Effects: reads, Options: "-d|--delimiters=arg -s|--serial -z|--zero-terminated", Operands: "read..."}, "join": {Effects: reads, Options: "-a=arg -e=arg -i|--ignore-case -j=arg -o=arg -t=arg -v=arg -1=arg -2=arg --header --check-order --nocheck-order -z", Operands: "read..."},
		"column": {Effects: reads, Options: "-t|--table -s|--separator=arg -o|--output-separator=arg -n|--table-name=arg -c|--output-width=arg -J|--json -N|--table-columns=arg -x -e", Operands: "read..."},
		"nl":     {Effects: reads, Options: "-b=arg -d=arg -f=arg -h=arg -i=arg -l=arg -n=arg -p -s=arg -v=arg -w=arg", Operands: "read..."}, "fold": {Effects: reads, Options: "-b -s|--spaces -w|--width=arg", Operands: "read..."},
		"fmt": {Effects: reads, Options: "-w|--width=arg -s -u -#", Operands: "read..."}, "expand": {Effects: reads, Options: "-i -t|--tabs=arg", Operands: "read..."}, "unexpand": {Effects: reads, Options: "-a -t=arg", Operands: "read..."},
		"comm": {Effects: reads, Options: "-1 -2 -3 --check-order --nocheck-order --output-delimiter=arg --total -z", Operands: "read..."},
		"diff": {
			Effects: reads, Operands: "read...",
			Options: "-q|--brief -s -c -C|--context=arg -u --unified?arg -U=arg -e -n -y|--side-by-side -W|--width=arg --left-column --suppress-common-lines -p -F=arg --label=arg -t -T --color?arg -r|--recursive -N|--new-file -P -x|--exclude=arg " +
				"-X|--exclude-from=read -S=arg --from-file=read --to-file=read -i|--ignore-case -E -Z -b -w|--ignore-all-space -B|--ignore-blank-lines -I=arg -a|--text --strip-trailing-cr -d|--minimal --speed-large-files --normal --no-dereference",
		},
		"cmp": {Effects: reads, Options: "-b -i=arg -l -n=arg -s|--quiet|--silent", Operands: "read read arg..."}, "strings": {Effects: reads, Options: "-a -f -n=arg -t=arg -e=arg -o -#", Operands: "read..."},
		"od": {Effects: reads, Options: "-A=arg -t=arg -j=arg -N=arg -w?arg -v -c -x -a -b -d -o", Operands: "read..."}, "xxd": {Effects: reads, Options: "-a -b -c=arg -e -g=arg -i -l=arg -o=arg -p -ps -r -s=arg -u -cols=arg -plain", Dash: true, Operands: "read write"},
		"hexdump": {Effects: reads, Options: "-b -c -C -d -o -x -v -e=arg -f=codefile -n=arg -s=arg", Operands: "read..."}, "hd": {Effects: reads, Operands: "read..."},
		"base64": {Effects: reads, Options: "-d|-D|--decode -i|--ignore-garbage -w|--wrap=arg -b=arg -o|--output=write", Operands: "read"}, "base32": {Effects: reads, Options: "-d|--decode -i -w|--wrap=arg", Operands: "read"},
		"md5sum": checksum, "sha1sum": checksum, "sha256sum": checksum, "sha512sum": checksum, "b2sum": checksum, "shasum": checksum, "cksum": checksum, "md5": checksum, "sum": checksum,
		"jq": {
			Effects: reads, Operands: "arg read...", Options: "-n|--null-input -r|--raw-output -R|--raw-input -s|--slurp -c|--compact-output -C|--color-output -M|--monochrome-output -S|--sort-keys -e|--exit-status -j|--join-output -a|--ascii-output -0|--raw-output0 " +
				"--tab --indent=arg -f|--from-file=codefile^ -L=codefile --arg=arg+arg --argjson=arg+arg --slurpfile=arg+read --rawfile=arg+read --args --jsonargs --seq --stream --stream-errors --unbuffered -h",
		},
		"yq": {
			Effects: reads, Operands: "arg read...", Options: "-i|--inplace&write -r|--unwrapScalar -o|--output-format=arg -p|--input-format=arg -P|--prettyPrint -e|--exit-status -n|--null-input -N|--no-doc -C -M -I|--indent=arg -j -y -Y -s|--split-exp=arg!write --from-file=codefile^ -f|--front-matter=arg -v -c -S",
			Modes: []Mode{{When: "-n --null-input", Operands: "arg", Effects: reads}},
		},
		"seq": {Options: "-f=arg -s=arg -w", Operands: "arg..."}, "yes": {Operands: "arg..."}, "expr": {Operands: "arg..."}, "factor": {Operands: "arg..."}, "bc": {Options: "-l -q -s -i", Operands: "read...", Effects: reads},
		"shuf": {Effects: reads, Options: "-e|--echo -i=arg -n=arg -o|--output=write -r -z --random-source=read", Operands: "read"}, "tsort": {Effects: reads, Operands: "read"}, "numfmt": {Options: "--to=arg --from=arg --suffix=arg --field=arg --format=arg --padding=arg -d=arg", Operands: "arg..."},
		"iconv": {Effects: reads, Options: "-f|--from-code=arg -t|--to-code=arg -o|--output=write -c -s -l", Operands: "read..."}, "dos2unix": {Effects: writesTo, Options: "-q -n -k", Operands: "write..."}, "unix2dos": {Effects: writesTo, Options: "-q -n -k", Operands: "write..."},
		"envsubst": {Options: "-v", Operands: "arg..."}, "xmllint": {Effects: reads, Options: "--format --xpath=arg --noout --schema=read --html -o|--output=write --recover", Operands: "read..."},
		"tokei": {Effects: reads, Operands: "list..."}, "cloc": {Effects: reads, Operands: "list..."}, "pandoc": {Effects: reads, Options: "-f|--from|-r|--read=arg -t|--to|-w|--write=arg -o|--output=write -s|--standalone --filter=run -F=run -L|--lua-filter=codefile --toc --template=read --pdf-engine=run --metadata=arg -M=arg -V=arg", Operands: "read..."},
	} {
		rows[name] = row
	}
}

var checksum = Row{Effects: reads, Options: "-b|--binary -c|--check -t|--text -z --tag --ignore-missing --quiet --status --strict -w -a|--algorithm=arg -q -r -s=arg", Operands: "read..."}
