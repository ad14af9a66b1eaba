package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"assay.dev/contracts"
	"assay.dev/platform/clock"
)

// slowDisk is a directory of the machine behind a file system whose writes and fsyncs can be made to take diskDelay longer.
type slowDisk struct {
	dir    string
	slow   atomic.Bool
	waited atomic.Int64 // how many writes and fsyncs were slow
}

// diskDelay is that of a disk over a network that many share. Each file waits by itself.
const diskDelay = 50 * time.Millisecond

func (d *slowDisk) wait() {
	if d.slow.Load() {
		d.waited.Add(1)
		_ = clock.Sleep(context.Background(), diskDelay) // no signal to the process that writes makes it shorter
	}
}

// slowNode is a file or a directory of a slow disk.
type slowNode struct {
	*fs.LoopbackNode
	disk *slowDisk
}

// WrapChild makes what is found or made in a slow directory slow too.
func (n *slowNode) WrapChild(_ context.Context, ops fs.InodeEmbedder) fs.InodeEmbedder {
	child, _ := ops.(*fs.LoopbackNode)
	return &slowNode{child, n.disk}
}

func (n *slowNode) Write(ctx context.Context, f fs.FileHandle, data []byte, off int64) (uint32, syscall.Errno) {
	n.disk.wait()
	w, _ := f.(fs.FileWriter)
	return w.Write(ctx, data, off)
}

func (n *slowNode) Fsync(ctx context.Context, f fs.FileHandle, flags uint32) syscall.Errno {
	n.disk.wait()
	s, _ := f.(fs.FileFsyncer)
	return s.Fsync(ctx, flags)
}

// newSlowDisk mounts a file system that this process serves, over FUSE. That takes root: others would own no file there. This
// process must not use the file system, for it might wait for itself.
func newSlowDisk(t *testing.T) (*slowDisk, error) {
	t.Helper()
	below, err := fs.NewLoopbackRoot(t.TempDir())
	if err != nil {
		return nil, err
	}
	fd, err := syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("/dev/fuse: %w", err)
	}
	device := os.NewFile(uintptr(fd), "/dev/fuse")
	defer device.Close()
	var serving sync.WaitGroup
	t.Cleanup(serving.Wait) // after the holder's end, which ends the mount
	dir, err := mountApart(t, `mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 slow "$0"`, nil, device)
	if err != nil {
		return nil, err
	}
	ours, err := syscall.Dup(fd) // the server closes it
	if err != nil {
		return nil, err
	}
	root, _ := below.(*fs.LoopbackNode)
	d := &slowDisk{dir: dir}
	server, err := fuse.NewServer(fs.NewNodeFS(&slowNode{root, d}, nil), fmt.Sprintf("/dev/fd/%d", ours),
		&fuse.MountOptions{DisabledCapabilities: fuse.CAP_PASSTHROUGH}) // with it the kernel would write without asking
	if err != nil {
		return nil, err
	}
	serving.Go(server.Serve)
	return d, nil
}

func slowDisks(r *row) {
	disks := three(r, newSlowDisk)
	if disks == nil {
		return
	}
	d := r.ownPayingSystem(disks[0].dir, disks[1].dir, disks[2].dir)
	bucket, err := d.jetStream(r.T).KeyValue(r.Context(), contracts.AnswersBucket.Name)
	r.need(err)
	var acked acknowledged
	var slow time.Time
	sent := d.observePaying(r, func() {
		r.need(clock.Sleep(r.Context(), 2*time.Second))
		slow = time.Now()
		for _, one := range disks {
			one.slow.Store(true)
		}
		ctx, stop := context.WithTimeout(r.Context(), 30*time.Second)
		defer stop()
		acked.write(ctx, bucket)
	})
	for i, one := range disks {
		r.holds(one.waited.Load() > 0, "%d writes and fsyncs of %s took %s longer", one.waited.Load(), d.servers[i].name, diskDelay)
	}
	r.shareFailed(sent, 0)
	r.hitsHold(sent, 0)
	r.saw("cold: %s (before the fault: %s); solves: %s", sent.cold.since(slow, time.Time{}), sent.cold.since(time.Time{}, slow),
		&sent.slow)
	r.holds(len(d.paying.failed()) == 0, "billed: %s", &d.paying)
	lost := acked.lost(r, bucket)
	r.holds(lost == 0 && len(acked.keys) > 0, "%d of %d acknowledged writes lost, %d refused, longest pause of writes %.1f s",
		lost, len(acked.keys), acked.refused, acked.longest.Seconds())
	d.allIsCounted(r)
}
