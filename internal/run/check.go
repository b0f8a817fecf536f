package run

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"

	"whittle/internal/diagnose"
)

// CheckSandbox reports whether a sandbox protects this machine.
func (r *Run) CheckSandbox() diagnose.Finding {
	if r.Boxed() {
		return diagnose.Finding{Text: fmt.Sprintf("tests run in a sandbox (%v)", r.SandboxLevel)}
	}
	f := diagnose.Finding{Text: "tests run without a sandbox: what they do to this machine stays"}
	if r.Sandbox.On { // the user did not switch it off
		f.Grade = diagnose.Note
	}
	return f
}

// CheckReading checks that the tree renders to the bytes of the file, and reports syntax errors.
func (in *Input) CheckReading(report func(diagnose.Finding)) error {
	a, err := Analyse(in.Language, in.Bytes)
	if err != nil {
		return err
	}
	if !a.Same {
		report(diagnose.Finding{
			Grade:  diagnose.Bad,
			Text:   fmt.Sprintf("whittle cannot give %s back as it is, read as %s", in, in.ReadBy()),
			Advice: "read it by another language, as --language structure; and tell us of this file",
		})
		return nil
	}
	report(diagnose.Finding{Text: fmt.Sprintf("read as %s in %v, %s has %s, and whittle gives it back byte for byte",
		in.ReadBy(), a.Elapsed.Round(100*time.Microsecond), in, english.Plural(a.Weight, "token", ""))})
	if a.Errors > 0 {
		report(diagnose.Finding{
			Grade: diagnose.Note,
			Text: fmt.Sprintf("%s has %s as %s; candidates have no more",
				in, english.Plural(a.Errors, "syntax error", ""), in.ReadBy()),
			Advice: "if it is of another language, say so by --language or --grammar",
		})
	}
	return nil
}
