package remotetest

import "testing"

func TestClusterFillDisk(t *testing.T) {
	s := Start(t, Casd)
	if err := s.LimitDisk(t, 64<<20); err != nil {
		t.Skip(err)
	}
	release, err := s.FillDisk()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := run(t, s.Address, "echo full", ""); err == nil && out != "" {
		t.Errorf("%q with a full disk", out)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if out, err := run(t, s.Address, "echo room", ""); err != nil || out != "room\n" {
		t.Errorf("%q %v", out, err)
	}
	s.Kill()
	if err := s.LoseStore(); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(); err != nil {
		t.Fatal(err)
	}
	if out, err := run(t, s.Address, "echo new", ""); err != nil || out != "new\n" {
		t.Errorf("%q %v", out, err)
	}
}
