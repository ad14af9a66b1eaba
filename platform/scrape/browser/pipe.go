package browser

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"sync"
	"time"
)

const (
	maxMessage = 64 << 20
	// writeTimeout bounds one message to a Chromium that does not read.
	writeTimeout = 10 * time.Second
)

// pipe carries DevTools messages, each ended by a NUL, as --remote-debugging-pipe does.
type pipe struct {
	in  *bufio.Scanner
	end *os.File // of in

	mu  sync.Mutex
	out *os.File
}

// startWithPipe starts cmd with its descriptors 3 and 4 as the pipe.
func startWithPipe(cmd *exec.Cmd) (*pipe, error) {
	theirIn, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirIn.Close()
	end, theirOut, err := os.Pipe()
	if err != nil {
		_ = out.Close()
		return nil, err
	}
	defer theirOut.Close()
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := cmd.Start(); err != nil {
		_, _ = out.Close(), end.Close()
		return nil, err
	}
	p := &pipe{in: bufio.NewScanner(end), end: end, out: out}
	p.in.Buffer(make([]byte, 64<<10), maxMessage)
	p.in.Split(untilNUL)
	return p, nil
}

func untilNUL(data []byte, _ bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	return 0, nil, nil
}

// Send implements cdp.WebSocketable.
func (p *pipe) Send(message []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.out.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	_, err := p.out.Write(append(message, 0))
	return err
}

// Read implements cdp.WebSocketable. rod panics on a message that is no JSON, so none is passed on.
func (p *pipe) Read() ([]byte, error) {
	if !p.in.Scan() {
		return nil, errors.Join(errors.New("the pipe of Chromium has ended"), p.in.Err())
	}
	message := bytes.Clone(p.in.Bytes())
	if !json.Valid(message) {
		return nil, errors.New("a message of Chromium is no JSON")
	}
	return message, nil
}

func (p *pipe) close() { _, _ = p.out.Close(), p.end.Close() }
