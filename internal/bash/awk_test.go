package bash_test

import (
	"slices"
	"testing"

	"github.com/permctl/permctl/internal/bash"
)

// TestAwkActs has programs that run commands or write files, for one awk at least.
func TestAwkActs(t *testing.T) {
	for _, program := range []string{
		// A slash, quote or # in a bracket of a pattern.
		`/[/"]/{system("touch pw")}`,
		`!/[/#]/{x=1} {system("touch pw")}`,
		`/[[:alpha:]"/"]/{system("touch pw")}`,
		`/[/"]/{print > "pw"}`,
		`/[]/"]/{system("touch pw")}`,
		`/[^]/"]/{system("touch pw")}`,
		`/x[^]/"]/{system("touch pw")}`,
		`/[\]/"]/{system("touch pw")}`,
		`/]x[/"]/{system("touch pw")}`,
		`/[a[:]/"]/{system("touch pw")}`,
		`/[/"]/{ARGV[1] = "pw"}`,

		// A pattern or a division.
		`BEGIN{if (1) /"/; system("touch pw")}`,
		`BEGIN{if (0) /#/; system("touch pw")}`,
		"BEGIN{if # x\n(0) /#/; system(\"touch pw\")}",
		`{ while (i++<1) /"/; print "x" > "pw"; /"/ }`,
		`{ for (;i++<1;) /"/; print "x" > "pw"; /"/ }`,
		`BEGIN{n++ /"/; system("touch pw") ; x="" }`,
		`BEGIN{n-- /"/; system("touch pw") ; x="" }`,
		`BEGIN{n++ /1/"/; system("touch pw") ; x="" }`,
		`BEGIN{exit /"/; } END{system("touch pw"); x="" }`,
		`BEGIN{x = length /"/; system("touch pw"); x=""}`,
		"BEGIN{x = 1 \\ \n/\"/; system(\"touch pw\"); x=\"\"/1}",

		// Numbers and $ that stand by a name.
		`BEGIN{x=1system("touch pw")}`,
		`BEGIN{x=$system("touch pw")}`,
		`BEGIN{x=1.system("touch pw")}`,
		`BEGIN{x=0system("touch pw")}`,
		`BEGIN{x=1e5system("touch pw")}`,
		`BEGIN{x=1esystem("touch pw")}`,
		`BEGIN{x=0x1fsystem("touch pw")}`,
		`BEGIN{"touch pw" | $getline}`,

		// Statements of more than one line, and of more than one option.
		"BEGIN{print 1, # x\n 2 > \"pw\"}",
		"BEGIN{print 1 ||\n# x\n 2 > \"pw\"}",
		"BEGIN{print 1,\\\n#\n2>\"pw\"}",
		"BEGIN{print 1 ?\n 2 : 3 > \"pw\"}",
		"BEGIN{print (1,\n2) > \"pw\"}",
		"BEGIN{for (print 1 > \"pw\";;) exit}",
		"BEGIN{for (;;print 1 > \"pw\") x}",
		"BEGIN{for (;;) print 1 > \"pw\"}",
		"BEGIN{print (1)(2) > \"pw\"}",
		`BEGIN{print 1`,
	} {
		c := first(t, "awk '"+program+"' f")
		if len(c.Hazards) == 0 || !slices.ContainsFunc(c.Effects, func(e bash.Effect) bool { return e != bash.Read }) {
			t.Errorf("awk %q: effects %v, hazards %v", program, c.Effects, c.Hazards)
		}
	}
	// Some awks take a carriage return for a blank.
	src := `awk $'BEGIN{x = 1 \r/ 2; y="/"; system("touch pw"); x=""}' f`
	if c := first(t, src); len(c.Hazards) == 0 {
		t.Errorf("Parse(%q) finds no hazard", src)
	}
}

func TestAwkReads(t *testing.T) {
	for _, program := range []string{
		`{print $1}`, `$1 > 5`, `NR > 1 && /a|b/ { print $1 / 2 }`, `{ if ($1 > 2) print; else n++ } END { print n/NR }`, `{ s += $3 } END { print s }`,
		`/[0-9]+/ { print $2 }`, `{ gsub(/[^a-z]/, ""); print }`, `{ print ($1 > 2) ? "a" : "b" }`, `BEGIN { FS = ":" } $NF > 1e3 { print $NF }`,
		`/^[[:space:]]*#/ || /["#]/ { next } $1 > .5`, `$2 > 0 && $1 ~ /[\/.]+/ { print $1 }`, `NR > 1 { a = ($1 + $2) / 2; b = ($3 + $4) / 2; print a, b }`,
		`END { for (k in s) if (n[k] > 0 || m[k] > 0) print k, s[k]/n[k], t[k]/m[k] }`, `{ if (length($0) > 80) print FILENAME ":" FNR }`,
		"$1 > 5 {\n  print $1 # x > y\n  if ($2 > 3 || $3 > 4)\n    print \"a/b > c | d\"\n}\n$2 > 6 { print }", `/\[x\]/ { if ($1 >= 2) n++ } END { printf "%d%%\n", n / NR }`,
		`/a/, /b/ { if (x++ > 1) print x / 2 }`, `!seen[$1]++`, `{ x = (a - b) / c; y = d / (e) / 2 }`, `{ if (n++ / 2 > 1) exit 1 }`, `{ getline; if ($1 < 3) print }`,
		"{ getline\n if ($1 < 3) print }", `{ print (a[1] > 2), substr($0, index($0, "/") + 1) }`, `/=/ { n /= 2 } n > 3`,
	} {
		if c := first(t, "awk '"+program+"' f"); !onlyReads(c) {
			t.Errorf("awk %q does more than read: effects %v, hazards %v", program, c.Effects, c.Hazards)
		}
	}
	if c := first(t, "awk -F: '{print $NF}' f"); !onlyReads(c) {
		t.Errorf("awk -F: does more than read: effects %v, hazards %v", c.Effects, c.Hazards)
	}
}
