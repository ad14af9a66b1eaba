package solver_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay.dev/platform/clock/clocktest"
	"assay.dev/sandbox/captcha"
	"assay.dev/sandbox/solver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type client struct {
	*testing.T
	*solver.Provider
	url  string
	book *captcha.Book
}

func connect(t *testing.T, service solver.Service) *client {
	t.Helper()
	book := captcha.NewBook(3)
	p := solver.New(service, book)
	if err := p.Behave(solver.Behaviour{PriceUSD: 0.0007}); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(p)
	t.Cleanup(func() { http.DefaultClient.CloseIdleConnections(); s.Close() })
	return &client{t, p, s.URL, book}
}

func (c *client) call(method string, body map[string]any) map[string]any {
	c.Helper()
	if body["clientKey"] == nil {
		body["clientKey"] = solver.Key
	}
	data, _ := json.Marshal(body)
	res, err := http.Post(c.url+"/"+method, "application/json", bytes.NewReader(data))
	if err != nil {
		c.Fatal(err)
	}
	defer res.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		c.Fatal(err)
	}
	return answer
}

func (c *client) create(image []byte) map[string]any {
	c.Helper()
	return c.call("createTask", map[string]any{"task": map[string]any{"type": "ImageToTextTask", "body": base64.StdEncoding.EncodeToString(image)}})
}

func TestSolvesWhatTheBookDrew(t *testing.T) {
	for _, service := range []solver.Service{solver.TwoCaptcha, solver.AntiCaptcha} {
		c := connect(t, service)
		if err := c.Behave(solver.Behaviour{PriceUSD: 0.0007, Delay: 80 * time.Millisecond}); err != nil {
			t.Fatal(err)
		}
		var got, task map[string]any
		var text string
		tasks := 0
		clocktest.Await(t, "a task is asked for before it is ready", func() bool {
			image, drawn := c.book.Draw()
			task, text = c.create(image), drawn
			tasks++
			if _, number := task["taskId"].(float64); !number {
				t.Fatalf("%s: %v", service, task)
			}
			return c.call("getTaskResult", map[string]any{"taskId": task["taskId"]})["status"] == "processing"
		})
		clocktest.Await(t, "the task is ready", func() bool {
			got = c.call("getTaskResult", map[string]any{"taskId": task["taskId"]})
			return got["status"] != "processing"
		})
		if got["status"] != "ready" || got["solution"].(map[string]any)["text"] != text || got["cost"] != "0.00070" {
			t.Errorf("%s: %v", service, got)
		}
		if balance := c.call("getBalance", map[string]any{})["balance"].(float64); math.Abs(balance-10+0.0007*float64(tasks)) > 1e-9 {
			t.Errorf("%s: balance %v", service, balance)
		}
	}
}

func TestCapSolverAnswersAtOnce(t *testing.T) {
	c := connect(t, solver.CapSolver)
	image, text := c.book.Draw()
	got := c.create(image)
	if got["status"] != "ready" || got["solution"].(map[string]any)["text"] != text || len(got["taskId"].(string)) != 36 {
		t.Errorf("%v", got)
	}
}

func TestWrongShareReportsAndDuplicates(t *testing.T) {
	c := connect(t, solver.TwoCaptcha)
	if err := c.Behave(solver.Behaviour{Wrong: 0.3}); err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for range 200 {
		image, text := c.book.Draw()
		id := c.create(image)["taskId"]
		if c.call("getTaskResult", map[string]any{"taskId": id})["solution"].(map[string]any)["text"] != text {
			wrong++
			c.call("reportIncorrect", map[string]any{"taskId": id})
		}
	}
	image, _ := c.book.Draw()
	c.create(image)
	c.call("reportIncorrect", map[string]any{"taskId": c.create(image)["taskId"]})
	got := c.Counts()
	if wrong < 40 || wrong > 80 || got.Reported-1 != wrong || got.Misreported > 1 || got.Duplicates != 1 || got.Created != 202 {
		t.Errorf("%d wrong, counts %+v", wrong, got)
	}
}

func TestErrorsOfTheFamily(t *testing.T) {
	c := connect(t, solver.TwoCaptcha)
	image, _ := c.book.Draw()
	task := func(body string) map[string]any {
		return map[string]any{"task": map[string]any{"type": "ImageToTextTask", "body": body}}
	}
	for want, got := range map[string]map[string]any{
		"ERROR_KEY_DOES_NOT_EXIST":       c.call("getBalance", map[string]any{"clientKey": "another"}),
		"ERROR_ZERO_CAPTCHA_FILESIZE":    c.call("createTask", task("")),
		"ERROR_IMAGE_TYPE_NOT_SUPPORTED": c.call("createTask", task("aGFsbG8=")),
		"ERROR_NO_SUCH_CAPCHA_ID":        c.call("getTaskResult", map[string]any{"taskId": 5}),
		"ERROR_TOO_BIG_CAPTCHA_FILESIZE": c.create(append(bytes.Clone(image), make([]byte, 100<<10)...)),
	} {
		if got["errorCode"] != want || got["errorId"] == 0.0 {
			t.Errorf("want %s, got %v", want, got)
		}
	}
	if err := c.Fail("createTask", "ERROR_NO_SLOT_AVAILABLE", 1); err != nil {
		t.Fatal(err)
	}
	if got := c.create(image); got["errorCode"] != "ERROR_NO_SLOT_AVAILABLE" {
		t.Errorf("on demand: %v", got)
	}
	if err := c.Fail("getTaskResult", "ERROR_CAPTCHA_UNSOLVABLE", 1); err != nil {
		t.Fatal(err)
	}
	id := c.create(image)["taskId"]
	for range 2 {
		if got := c.call("getTaskResult", map[string]any{"taskId": id}); got["errorCode"] != "ERROR_CAPTCHA_UNSOLVABLE" {
			t.Errorf("unsolvable: %v", got)
		}
	}
	if got := c.Counts(); got.SpentUSD != 0 || got.Unsolvable != 1 {
		t.Errorf("an unsolvable task is refunded once: %+v", got)
	}
	c.SetBalance(0)
	if got := c.create(image); got["errorCode"] != "ERROR_ZERO_BALANCE" {
		t.Errorf("no balance: %v", got)
	}
}

func TestAdmin(t *testing.T) {
	c := connect(t, solver.TwoCaptcha)
	admin := c.Admin()
	ask := func(method, path, body string) (int, string) {
		w := httptest.NewRecorder()
		admin.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, bytes.NewBufferString(body)))
		return w.Code, w.Body.String()
	}
	if code, body := ask(http.MethodPatch, "/", `{"delay_seconds":0,"wrong":1,"balance_usd":1.5}`); code != 200 || !bytes.Contains([]byte(body), []byte(`"balance_usd":1.5`)) {
		t.Errorf("%d %s", code, body)
	}
	if code, _ := ask(http.MethodPatch, "/", `{"wrong":2}`); code != 422 {
		t.Errorf("a share of 2: %d", code)
	}
	if code, _ := ask(http.MethodPost, "/failures", `{"failure":"html","times":1}`); code != 200 {
		t.Errorf("failures: %d", code)
	}
	res, err := http.Post(c.url+"/getBalance", "application/json", http.NoBody)
	if err != nil || res.StatusCode != http.StatusBadGateway {
		t.Fatalf("%v %v", res, err)
	}
	res.Body.Close()
}
