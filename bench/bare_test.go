package bench

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
)

// bareArgument makes this program run [serveBare]: a server of gin alone, to compare Assay with.
const bareArgument = "bare"

// serveBare reads a body from standard input, prints its address and answers every request with that body.
func serveBare() {
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.GET("/v1/ltl/fuel-surcharge", func(c *gin.Context) { c.Data(http.StatusOK, "application/json", body) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	_, _ = os.Stdout.WriteString("http://" + l.Addr().String() + "\n")
	server := &http.Server{Handler: engine, ReadHeaderTimeout: 5 * time.Second}
	_ = server.Serve(l) // until killed
}

// startBare runs serveBare in a process of its own and returns its address.
func startBare(t *testing.T, body io.Reader) (base string) {
	self, err := os.Executable()
	must(t, err)
	process := exec.Command(self, bareArgument)
	process.Stdin, process.Stderr = body, os.Stderr
	out, err := process.StdoutPipe()
	must(t, err)
	must(t, process.Start())
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	})
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("bare gin ended before it was ready")
	}
	return lines.Text()
}
