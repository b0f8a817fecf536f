package run

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"

	"whittle/internal/diagnose"
)

// CheckSandbox finds out what protects this machine from the test.
func (s *Run) CheckSandbox() diagnose.Finding {
	if !s.Boxed() {
		f := diagnose.Finding{Text: "tests run without a sandbox: what they do to this machine stays"}
		if s.Sandbox.On { // the user did not switch it off
			f.Grade = diagnose.Note
		}
		return f
	}
	return diagnose.Finding{Text: fmt.Sprintf("tests run in a sandbox (%v)", s.SandboxLevel)}
}

// CheckReading finds out whether an untouched tree is the file, and tells of syntax errors.
func (in *Input) CheckReading(tell func(diagnose.Finding)) error {
	read, err := Analyse(in.Language, in.Bytes)
	if err != nil {
		return err
	}
	if !read.Same {
		tell(diagnose.Finding{
			Grade:  diagnose.Bad,
			Text:   fmt.Sprintf("whittle cannot give %s back as it is, read as %s", in, in.ReadBy()),
			Advice: "read it by another language, as --language structure; and tell us of this file",
		})
		return nil
	}
	took := read.Elapsed.Round(100 * time.Microsecond)
	tell(diagnose.Finding{Text: fmt.Sprintf("read as %s in %v, %s has %s, and whittle gives it back byte for byte",
		in.ReadBy(), took, in, english.Plural(read.Weight, "token", ""))})
	if read.Errors > 0 {
		tell(diagnose.Finding{
			Grade: diagnose.Note,
			Text: fmt.Sprintf("%s has %s as %s; candidates have no more",
				in, english.Plural(read.Errors, "syntax error", ""), in.ReadBy()),
			Advice: "if it is of another language, say so by --language or --grammar",
		})
	}
	return nil
}
