package bash_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/permctl/permctl/internal/bash"
)

// operations returns what a command does to files, those that merely look like
// it with a question mark.
func operations(c bash.Command) string {
	var list []string
	for _, o := range c.Operations {
		effect := string(o.Effect)
		if !o.Listed {
			effect += "?"
		}
		list = append(list, effect+" "+o.Path)
	}
	return strings.Join(list, ", ")
}

// TestFiles has a row for each way in which a command names files.
func TestFiles(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		// What searches reads what it is given.
		{"rg x f", "read f"},
		{"rg --files d", "read d"},
		{"ag x f", "read f"},
		{"file f", "read f"},
		{"pr f", "read f"},
		{"man ./f", "read ./f"},
		{"man -l f", "read f"},
		{"info /f", "read /f"},

		// Git takes revisions and files alike.
		{"git show HEAD:.env", "read .env"},
		{"git show :0:f", "read f"},
		{"git cat-file -p main:d/f", "read d/f"},
		{"git diff /dev/null /etc/passwd", "read /etc/passwd"},
		{"git diff /dev/null id_rsa", "read id_rsa"},
		{"git diff ../f", "read ../f"},
		{"git diff ~/f", "read ~/f"},
		{"git diff -- f", "read f"},
		{"git diff .env", "read .env"},
		{"git log -p -- f", "read f"},
		{"git log main -p d/.env", "read d/.env"},
		{"git log -p d/f.go", "read d/f.go"},
		{"git log -- ':!f'", ""},
		{"git log -- ':(top)f'", "read f"},
		{"git diff main..HEAD v1.2.3 origin/main HEAD~2", ""},
		{"git diff origin/main...feature", ""},
		{"git grep x f.go", "read f.go"},
		{"git grep x -- f", "read f"},
		{"git grep x id_rsa", "read id_rsa"},
		{"docker load -i f", "read f"},
		{"docker save -o f i", "write f"},
		{"docker import f i", "read f"},
		{"git grep -e x -- f", "read f"},
		{"git blame f", "read f"},
		{"git blame main f", "read f"},
		{"git apply f", "read f"},
		{"git am f", "read f"},
		{"git --git-dir=d log", "read d"},
		{"git config --global x y", "write ~/.gitconfig"},
		{"git config --global x", "read ~/.gitconfig"},
		{"git config --system --unset x", "write /etc/gitconfig"},
		{"git config set --global x y", "write ~/.gitconfig"},
		{"git config --global --get x", "read ~/.gitconfig"},
		{"git clone s d", "read s, write d"},
		{"git clone ../s", "read ../s"},
		{"git clone git@h:s", ""},
		{"git clone https://h/s d", "write d"},
		{"git fetch file:///s", "read /s"},
		{"git fetch ../s", "read ../s"},
		{"git fetch origin", ""},
		{"git push ../d main", "write ../d"},
		{"git push file:///d main", "write /d"},

		// A link gives a file another name.
		{"ln a b", "read a, write a, write b"},
		{"ln -f a b d", "read a, write a, read b, write b, write d"},
		{"ln a", "write a, read a"},
		{"ln /d/a", "write a, read /d/a, write /d/a"},
		{"link a b", "read a, write a, write b"},
		{"cp -l a b", "read a, write a, write b"},
		{"cp --link a b", "read a, write a, write b"},
		{"ln -s /d/a b", "read /d/a, write b"},
		{"ln -s a b", "read a, write b"},
		{"ln -s ../a d/b", "read a, write d/b"},
		{"ln -s ../../a d/b", "read ../a, write d/b"},
		{"ln -s ../a d/", "read a, write d/"},
		{"ln -st d a", "write d, read d/a"},
		{"ln -s ../a", "write a, read ../a"},

		// What is moved is read.
		{"mv .env x", "delete .env, read .env, write x"},
		{"git mv a b", "delete a, read a, write b"},
		{"gzip f", "read f, write f"},
		{"gzip -c f", "read f"},
		{"xz --stdout f", "read f"},
		{"bzip2 -dc f", "read f"},
		{"gunzip -t f", "read f"},

		// Interpreters read their scripts, and change files in place.
		{"bash f", "read f"},
		{"sh f a /b", "read f, read? /b"},
		{"source f", "read f"},
		{"python3 f.py", "read f.py"},
		{"node d/f.js /b", "read d/f.js, read? /b"},
		{"perl f", "read f"},
		{"perl -pi -e x f g", "read f, write f, read g, write g"},
		{"perl -i.bak -ne x f", "write f, read f"},
		{"perl -ne x f", "read f"},
		{"perl -e x a /b", "read? /b"},
		{"perl -pi s.pl f", "read s.pl, read f, write f"},
		{"ruby -i -pe x f", "write f, read f"},
		{"java -jar f", "read f"},
		{"java Main", ""},
		{"go run /d", "read? /d"},
		{"go run ./d", "read? ./d"},
		{"pip install /d", "read? /d"},
		{"pip install -e /d", "read? /d"},
		{"npm install ../d", "read? ../d"},

		// Formatters change files in place.
		{"prettier --write f", "read f, write f"},
		{"prettier f", "read f"},
		{"eslint --fix f", "read f, write f"},
		{"black f", "write f"},
		{"gofmt -w f", "read f, write f"},
		{"shfmt -w f", "read f, write f"},
		{"clang-format -i f", "read f, write f"},
		{"vim f", "read f, write f"},
		{"ed f", "read f, write f"},
		{"nano f", "read f, write f"},

		// What talks to other machines sends files.
		{"curl -F a=@f http://h", "read f"},
		{"curl -F 'a=<f' http://h", "read f"},
		{"curl --data @f http://h", "read f"},
		{"curl --data-urlencode n@f http://h", "read f"},
		{"curl --data-urlencode @f http://h", "read f"},
		{"curl --data-urlencode n=a@b http://h", ""},
		{"curl file:///f", "read /f"},
		{"curl file:/f", "read /f"},
		{"curl FILE://localhost/d/%66", "read /d/f"},
		{"curl --url file:///f", "read /f"},
		{"cat file:///f", "read /f"},
		{"kubectl get x -o go-template-file=f", "read f"},

		// Containers get folders.
		{"docker run -v /d:/x i", "write /d"},
		{"docker run -v ./d:/x:ro i", "read ./d"},
		{"docker run --volume=~/d:/x:rw i", "write ~/d"},
		{"docker run -v name:/x i", ""},
		{"docker run --mount type=bind,src=/d,dst=/x i", "write /d"},
		{"docker run --mount type=bind,source=/d,target=/x,readonly i", "read /d"},
		{"docker run --mount type=volume,src=d,dst=/x i", ""},

		// What is made of others is written.
		{"openssl enc -in f -out g", "read f, write g"},
		{"gcc -o f g.c", "write f, read g.c"},
		{"gcc -of -O2 -Wall g.c", "write f, read g.c"},
		{"split f x", "read f, write xaa"},
		{"csplit -f x f /a/", "write xaa, read f"},
		{"mktemp -p d", "write d"},
		{"mktemp d/x.XXX", "write d/x.XXX"},
		{"tar -C d -xf f", "write d, read f"},
		{"tar -C /d -cf f g", "read? /d, write f, read /d/g"},
		{"tar cf f -C /d -C e g", "write f, read? /d, read? /d/e, read /d/e/g"},
		{"yq -i .a=1 f", "read f, write f"},
		{"tar xf f -C d", "read f, write d"},
		{"install -m 1 f g", "read f, write g"},
		{"install -t d f", "write d, read f"},
	} {
		s := bash.Parse(tt.src, nil)
		if diff := cmp.Diff(tt.want, operations(s.Commands[0])); diff != "" {
			t.Errorf("Parse(%q): operations (-want +got):\n%s", tt.src, diff)
		}
	}
}
