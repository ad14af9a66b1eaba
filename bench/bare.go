package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"time"

	"github.com/gin-gonic/gin"
)

// bareArgument makes this program run [serveBare]: a server of gin alone, to compare Assay with.
const bareArgument = "bare"

// serveBare reads a body from standard input, prints its address and answers every request with that body.
func serveBare() {
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		os.Exit(1)
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.GET("/v1/ltl/fuel-surcharge", func(c *gin.Context) { c.Data(http.StatusOK, "application/json", body) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString("http://" + l.Addr().String() + "\n")
	server := &http.Server{Handler: engine, ReadHeaderTimeout: 5 * time.Second}
	_ = server.Serve(l) // until killed
}

// startBare runs serveBare in a process of its own and returns its address.
func startBare(ctx context.Context, body io.Reader) (base string, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	process := exec.CommandContext(ctx, self, bareArgument)
	process.Stdin, process.Stderr = body, os.Stderr
	out, err := process.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := process.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		stop()
		return "", nil, io.ErrUnexpectedEOF
	}
	return lines.Text(), stop, nil
}
