package sandbox

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// services are directories and sockets by which root could shut the machine down.
var services = []string{
	"/run/systemd", "/run/dbus", "/run/user", "/run/docker.sock", "/run/containerd", "/run/podman",
	"/run/snapd.socket", "/run/libvirt", "/run/acpid.socket", "/run/initctl",
}

var kernel = []string{"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"}

// memories are as dangerous to root as disks.
var memories = []string{
	"/dev/mem", "/dev/kmem", "/dev/port", "/dev/kmsg", "/dev/nvram", "/dev/watchdog", "/dev/watchdog0",
}

// setUp prepares the mount namespace that each program's begins with: everything is read-only,
// the services are hidden, and the loopback interface runs.
func setUp(c config) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SLAVE, ""); err != nil {
		return os.NewSyscallError("mount", err)
	}
	if !c.Net {
		if err := startLoopback(); err != nil {
			return fmt.Errorf("cannot start the loopback interface: %w", err)
		}
		for _, path := range services {
			if !strings.HasPrefix(c.Keep+"/", path+"/") {
				hide(path)
			}
		}
	}
	if os.Geteuid() == 0 {
		for _, path := range slices.Concat(memories, disks()) {
			hide(path)
		}
		for _, path := range kernel {
			unix.Mount(path, path, "", unix.MS_BIND|unix.MS_REC, "") // read-only below
		}
	}
	readOnly := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, readOnly); err != nil {
		return os.NewSyscallError("mount_setattr", err)
	}
	// User namespaces need files in /proc/self.
	unix.MountSetattr(unix.AT_FDCWD, "/proc", 0, writable)
	return nil
}

var writable = &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}

func startLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}

// hide covers a directory with an empty one, anything else with /dev/null. Missing paths stay.
func hide(path string) {
	info, err := os.Lstat(path)
	switch {
	case err != nil || info.Mode()&fs.ModeSymlink != 0:
	case info.IsDir():
		unix.Mount("tmpfs", path, "tmpfs", 0, "mode=755")
	default:
		unix.Mount("/dev/null", path, "", unix.MS_BIND, "")
	}
}

func disks() (paths []string) {
	entries, _ := os.ReadDir("/dev")
	for _, e := range entries {
		if e.Type()&fs.ModeDevice != 0 && e.Type()&fs.ModeCharDevice == 0 {
			paths = append(paths, filepath.Join("/dev", e.Name()))
		}
	}
	return paths
}

func (s *server) mountFor(r *request) (*traced, error) {
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return nil, os.NewSyscallError("unshare", err)
	}
	places, err := detach(slices.Concat(mountsBelow(append(r.Trace, "/tmp")), r.shared(), r.Write), r.Write)
	defer places.close()
	if err != nil {
		return nil, err
	}
	size := ""
	if r.Size > 0 {
		size = "size=" + strconv.FormatUint(r.Size, 10)
	}
	var t *traced
	if unix.Mount("tmpfs", sharedMemory, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, size) == nil {
		overlay("/tmp") // else read-only
		if len(r.Trace) > 0 {
			t = trace(r.Trace)
		}
		// This hides the overlays' upper directories.
		unix.Mount("tmpfs", sharedMemory, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, size)
		os.Chmod(sharedMemory, 0o1777)
	}
	err = places.attach(r.Write)
	for i := 0; i < len(r.Over) && err == nil; i++ {
		err = r.Over[i].mount()
	}
	return t, err
}

func (o *Overlay) mount() error {
	paths := make([]string, len(o.Except))
	for i, name := range o.Except {
		paths[i] = filepath.Join(o.At, name)
	}
	var write []string
	if o.Changes != "" {
		write = paths
	}
	own, err := detach(paths, write)
	defer own.close()
	switch {
	case err != nil:
	case o.Changes == "":
		os.MkdirAll(o.At, 0o700) // below the empty /dev/shm
		err = unix.Mount(o.Lower, o.At, "", unix.MS_BIND|unix.MS_REC, "")
	default:
		err = mountOverlay(o.Lower, o.At, filepath.Join(o.Changes, "upper"), filepath.Join(o.Changes, "work"))
	}
	for i := 0; i < len(paths) && err == nil; i++ {
		err = os.RemoveAll(paths[i])
	}
	for i := 0; i < len(own) && err == nil; i++ {
		if err = os.MkdirAll(own[i].path, 0o700); own[i].file() {
			err = cmp.Or(os.Remove(own[i].path), os.WriteFile(own[i].path, nil, 0o600))
		}
	}
	return cmp.Or(err, own.attach(paths))
}

const sharedMemory = "/dev/shm"

// shared returns the directories in shared memory that a command names, as by the path of its script.
func (r *request) shared() (dirs []string) {
	for _, word := range r.Argv {
		rest, below := strings.CutPrefix(word, sharedMemory+"/")
		first, _, nested := strings.Cut(rest, "/")
		if !below || !nested {
			continue
		}
		for _, dir := range []string{filepath.Join(sharedMemory, first), filepath.Dir(word)} {
			inside := func(path string) bool { return strings.HasPrefix(path+"/", dir+"/") }
			if !slices.ContainsFunc(r.Write, inside) {
				dirs = append(dirs, dir)
				break
			}
		}
	}
	return dirs
}

// A place is a writable copy of a mount, attached at its path at the end.
type place struct {
	path string
	fd   int
}

func (p *place) file() bool {
	var s unix.Stat_t
	return unix.Fstat(p.fd, &s) == nil && s.Mode&unix.S_IFMT != unix.S_IFDIR
}

type places []place

// detach makes places of paths, some writable. It skips missing paths, and read-only file systems
// stay read-only.
func detach(paths, write []string) (p places, err error) {
	slices.Sort(paths) // parents first
	for _, path := range slices.Compact(paths) {
		fd, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
		if err == unix.ENOENT {
			continue
		}
		if err != nil {
			return p, &fs.PathError{Op: "open_tree", Path: path, Err: err}
		}
		p = append(p, place{path, fd})
		if !slices.Contains(write, path) {
			continue
		}
		if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH, writable); err != nil && err != unix.EPERM {
			return p, &fs.PathError{Op: "mount_setattr", Path: path, Err: err}
		}
	}
	return p, nil
}

// attach skips mounts that are gone, except for writable ones.
func (p places) attach(write []string) error {
	for _, place := range p {
		if _, err := os.Stat(place.path); err != nil { // below the empty /dev/shm
			os.MkdirAll(place.path, 0o700)
		}
		err := unix.MoveMount(place.fd, "", unix.AT_FDCWD, place.path,
			unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_SYMLINKS)
		if err != nil && (err != unix.ENOENT || slices.Contains(write, place.path)) {
			return &fs.PathError{Op: "move_mount", Path: place.path, Err: err}
		}
	}
	return nil
}

func (p places) close() {
	for _, place := range p {
		unix.Close(place.fd)
	}
}

// overlay mounts an overlay, and returns its upper directory, in shared memory.
func overlay(dir string) (upper string, err error) {
	at, err := os.MkdirTemp(sharedMemory, "overlay")
	if err != nil {
		return "", err
	}
	upper, work := filepath.Join(at, "upper"), filepath.Join(at, "work")
	if err := os.Mkdir(upper, 0o755); err != nil {
		return "", err
	}
	if err := os.Mkdir(work, 0o755); err != nil {
		return "", err
	}
	// The upper directory determines the mode.
	if info, err := os.Stat(dir); err == nil {
		os.Chmod(upper, info.Mode())
	}
	return upper, mountOverlay(dir, dir, upper, work)
}

func mountOverlay(lower, at, upper, work string) error {
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s,userxattr",
		escape.Replace(lower), escape.Replace(upper), escape.Replace(work))
	if err := unix.Mount("overlay", at, "overlay", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return &fs.PathError{Op: "mount", Path: at, Err: err}
	}
	return nil
}

var escape = strings.NewReplacer(`\`, `\\`, ":", `\:`, ",", `\,`)

// trace mounts overlays on directories. Without root, each directory with another owner needs one
// of its own to be writable.
func trace(dirs []string) *traced {
	t := &traced{upper: map[string]int{}}
	for _, dir := range dirs {
		upper, err := overlay(dir)
		if err != nil {
			continue
		}
		if fd, err := unix.Open(upper, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err == nil {
			t.upper[dir] = fd
		}
	}
	return t
}

// mountsBelow returns the mounts that overlays on the directories would hide.
func mountsBelow(dirs []string) (paths []string) {
	text, _ := os.ReadFile("/proc/thread-self/mountinfo")
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) <= 4 {
			continue
		}
		path := unescape.Replace(fields[4])
		if slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(path, dir+"/") }) {
			paths = append(paths, path)
		}
	}
	return paths
}

var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
