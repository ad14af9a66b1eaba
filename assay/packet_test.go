package main

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay.dev/platform/daemon"
)

// unpack writes the files of a ZIP into a directory, and returns its folder.
func unpack(t *testing.T, name, to string) string {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	folder := filepath.Join(to, strings.TrimSuffix(filepath.Base(name), ".zip"))
	if err := os.MkdirAll(filepath.Join(folder, "documents"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err == nil {
			err = os.WriteFile(filepath.Join(to, filepath.FromSlash(f.Name)), content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func inFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// From a file to a packet for each carrier in one call. Each is checked offline, as it says itself, and made again it is the same.
func TestAuditToPackets(t *testing.T) {
	base, key := up(t)
	text, _ := invoices(t, base, key)
	e := daemon.Environ{"ASSAY_API_KEY": key, "ASSAY_API_URL": base}
	file, sender, to := inFile(t, "march.csv", text), inFile(t, "sender.txt", "\ufeffAcme Paper Co.\r\n1 Mill Road\r\n\r\nDayton, OH 45402\r\n"), t.TempDir()
	code, out, errs := run(t, e, "audit", file, "--packets", to, "--sender", sender)
	id := regexp.MustCompile(`kept for 90 days as ([0-9a-f]{32}), or until 200 newer ones are\n`).FindStringSubmatch(errs)
	packets, _ := filepath.Glob(filepath.Join(to, "claim-*.zip"))
	if code != 0 || id == nil || len(packets) != 3 || !strings.Contains(out, "OVERBILLED") {
		t.Fatalf("exit %d, %v\n%s%s", code, packets, out, errs)
	}
	for _, p := range packets {
		if !strings.Contains(errs, p+"\n") {
			t.Errorf("%s is not told: %s", p, errs)
		}
		folder := unpack(t, p, t.TempDir())
		letter, _ := os.ReadFile(filepath.Join(folder, "letter.html"))
		if !strings.Contains(string(letter), "<strong>Acme Paper Co.</strong><br>1 Mill Road<br>Dayton, OH 45402") {
			t.Errorf("%s", letter)
		}
		text, _ := os.ReadFile(filepath.Join(folder, "VERIFY.txt"))
		_, command, _ := strings.Cut(string(text), "assay evidence verify ")
		command, _, _ = strings.Cut(command, "\n")
		args := []string{"evidence", "verify"} // the files by their names: not every shell knows patterns
		for name := range strings.FieldsSeq(command) {
			args = append(args, filepath.Join(folder, filepath.FromSlash(name)))
		}
		if code, out, errs := run(t, nil, args...); code != 0 || len(args) < 4 || !strings.Contains(out, "verified") {
			t.Errorf("%s: %v: exit %d\n%s%s", p, args, code, out, errs)
		}
	}
	first, err := os.ReadFile(packets[0])
	if err != nil {
		t.Fatal(err)
	}
	carrier := strings.Split(filepath.Base(packets[0]), "-")[1]
	again := t.TempDir()
	must(t, e, "get", "packet", id[1], strings.ToLower(carrier), "--sender", sender, "--to", again)
	if same, err := os.ReadFile(filepath.Join(again, filepath.Base(packets[0]))); err != nil || !bytes.Equal(same, first) {
		t.Errorf("the packet made again: %v, %d bytes in place of %d", err, len(same), len(first))
	}
	// A repetition is the same audit. A file that is another one is not overwritten.
	if err := os.WriteFile(packets[0], []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errs = run(t, e, "audit", file, "--packets", to, "--sender", sender)
	if mine, _ := os.ReadFile(packets[0]); code == 0 || string(mine) != "mine" || !strings.Contains(errs, id[1]) || !strings.Contains(errs, "file exists") {
		t.Errorf("exit %d, %s, %s", code, mine, errs)
	}
	if code, _, errs := run(t, e, "audit", file, "--keep"); code != 0 || !strings.Contains(errs, "kept for 90 days as "+id[1]) || !strings.Contains(errs, "this is the audit that was kept at 20") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// What is wrong is said, and no part of a packet is left behind.
func TestPacketsThatFail(t *testing.T) {
	cut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="claim-ODFL-2026-11-25.zip"`)
		w.Header().Set("Assay-Environment", "test")
		w.Header().Set("X-Request-ID", "r-1")
		_, _ = io.WriteString(w, "PK\x03\x04")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(cut.Close)
	e := daemon.Environ{"ASSAY_API_KEY": "test_x", "ASSAY_API_URL": cut.URL}
	sender, to, id := inFile(t, "sender.txt", "Acme\n1 Mill Road\n"), t.TempDir(), strings.Repeat("0", 32)
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"cut short":       {[]string{"get", "packet", id, "ODFL", "--sender", sender, "--to", to}, 1, "cannot be reached"},
		"a name alone":    {[]string{"get", "packet", id, "ODFL", "--sender", inFile(t, "s.txt", "Acme\n"), "--to", to}, 1, "want a name, and then the lines of its address"},
		"no sender":       {[]string{"get", "packet", id, "ODFL", "--to", to}, 2, "--sender"},
		"no directory":    {[]string{"get", "packet", id, "ODFL", "--sender", sender, "--to", filepath.Join(to, "none")}, 2, "--to"},
		"packets of whom": {[]string{"audit", inFile(t, "a.csv", "x"), "--packets", to}, 2, "--packets and --sender go together"},
	} {
		t.Run(name, func(t *testing.T) {
			if code, _, errs := run(t, e, c.args...); code != c.code || !strings.Contains(errs, c.want) {
				t.Errorf("exit %d, %s", code, errs)
			}
			if left, err := os.ReadDir(to); err != nil || len(left) != 0 {
				t.Errorf("%v are left, %v", left, err)
			}
		})
	}
}
