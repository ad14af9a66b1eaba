package solver

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"assay.dev/platform/clock"
	"assay.dev/sandbox/session"
)

// maxImage is the largest image taken.
const maxImage = 100 << 10

// request is what a call of any method holds.
type request struct {
	ClientKey string          `json:"clientKey"`
	TaskID    json.RawMessage `json:"taskId"`
	Task      struct {
		Type string `json:"type"`
		Body string `json:"body"`
	} `json:"task"`
}

// method answers a call. A failure that is an error code of the family is returned, not written.
type method func(ctx context.Context, q request, due Failure) (map[string]any, Failure)

func (p *Provider) methods() map[string]method {
	all := map[string]method{"createTask": p.create, "getTaskResult": p.result, "getBalance": p.account}
	switch p.service {
	case TwoCaptcha:
		all["reportIncorrect"], all["reportCorrect"] = p.reportBad, p.reportGood
	case AntiCaptcha:
		all["reportIncorrectImageCaptcha"] = p.reportBad
	}
	return all
}

// errorID is the number that stands beside an error code.
func errorID(code Failure) int {
	ids := map[Failure]int{
		"ERROR_KEY_DOES_NOT_EXIST": 1, "ERROR_NO_SLOT_AVAILABLE": 2, "ERROR_ZERO_CAPTCHA_FILESIZE": 3,
		"ERROR_TOO_BIG_CAPTCHA_FILESIZE": 4,
		"ERROR_ZERO_BALANCE":             10, "ERROR_CAPTCHA_UNSOLVABLE": 12, "ERROR_IMAGE_TYPE_NOT_SUPPORTED": 15,
		"ERROR_NO_SUCH_CAPCHA_ID": 16,
		"ERROR_IP_NOT_ALLOWED":    21,
	}
	if id, ok := ids[code]; ok {
		return id
	}
	return 1
}

func (p *Provider) answerCall(w http.ResponseWriter, r *http.Request, call method, due Failure) {
	var q request
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&q); err != nil {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	body, failure := map[string]any(nil), Failure("ERROR_KEY_DOES_NOT_EXIST")
	if q.ClientKey == Key {
		body, failure = call(r.Context(), q, due)
	}
	if failure != "" {
		body = map[string]any{"errorId": errorID(failure), "errorCode": failure,
			"errorDescription": "see the documentation"}
	} else {
		body["errorId"] = 0
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(body) // a reader that left
}

func (p *Provider) create(ctx context.Context, q request, due Failure) (map[string]any, Failure) {
	if due != "" && due != Hostile && due != "ERROR_CAPTCHA_UNSOLVABLE" {
		return nil, due
	}
	image, failure := picture(q)
	if failure != "" {
		return nil, failure
	}
	t, failure := p.take(image, due == "ERROR_CAPTCHA_UNSOLVABLE")
	if failure != "" {
		return nil, failure
	}
	if p.service != CapSolver {
		id, _ := strconv.Atoi(t.id)
		return map[string]any{"taskId": id}, ""
	}
	if clock.Sleep(ctx, time.Until(t.ready)) != nil {
		return nil, "ERROR_TASK_TIMEOUT"
	}
	return p.ready(t, due)
}

func picture(q request) ([]byte, Failure) {
	switch {
	case q.Task.Type != "ImageToTextTask":
		return nil, "ERROR_TASK_NOT_SUPPORTED"
	case q.Task.Body == "":
		return nil, "ERROR_ZERO_CAPTCHA_FILESIZE"
	case strings.ContainsAny(q.Task.Body, "\r\n"):
		return nil, "ERROR_IMAGE_TYPE_NOT_SUPPORTED"
	}
	image, err := base64.StdEncoding.DecodeString(q.Task.Body)
	switch {
	case err != nil || !strings.HasPrefix(http.DetectContentType(image), "image/"):
		return nil, "ERROR_IMAGE_TYPE_NOT_SUPPORTED"
	case len(image) > maxImage:
		return nil, "ERROR_TOO_BIG_CAPTCHA_FILESIZE"
	}
	return image, ""
}

// take opens a task and charges for it. Images that nobody here has drawn cannot be solved.
func (p *Provider) take(image []byte, unsolvable bool) (*task, Failure) {
	text, known := p.book.Read(image)
	p.mu.Lock()
	defer p.mu.Unlock()
	price := dollars(p.behaviour.PriceUSD)
	if p.balance < price {
		return nil, "ERROR_ZERO_BALANCE"
	}
	sum := sha256.Sum256(image)
	if hash := hex.EncodeToString(sum[:8]); p.images[hash] {
		p.counts.Duplicates++
	} else if len(p.images) < maxTasks {
		p.images[hash] = true
	}
	p.counts.Created++
	t := &task{id: p.newID(), text: text, price: price, ready: time.Now().Add(p.behaviour.Delay),
		unsolvable: unsolvable || !known}
	if !t.unsolvable && p.random.Float64() < p.behaviour.Wrong {
		t.text, t.wrong = p.book.Misread(text), true
		p.counts.Wrong++
	}
	p.balance, p.spent = p.balance-price, p.spent+price
	p.remember(t)
	return t, ""
}

func (p *Provider) newID() string {
	if p.service != CapSolver {
		return strconv.Itoa(72_000_000_000 + p.counts.Created)
	}
	t := session.Token(16)
	return fmt.Sprintf("%s-%s-%s-%s-%s", t[:8], t[8:12], t[12:16], t[16:20], t[20:])
}

func (p *Provider) remember(t *task) {
	p.tasks[t.id] = t
	if p.oldest = append(p.oldest, t.id); len(p.oldest) > maxTasks {
		delete(p.tasks, p.oldest[0])
		p.oldest = p.oldest[1:]
	}
}

func (p *Provider) result(_ context.Context, q request, due Failure) (map[string]any, Failure) {
	t, found := p.findTask(q)
	switch {
	case !found:
		return nil, "ERROR_NO_SUCH_CAPCHA_ID"
	case due == "ERROR_CAPTCHA_UNSOLVABLE":
		p.mu.Lock()
		t.unsolvable = true
		p.mu.Unlock()
	case due != "" && due != Hostile:
		return nil, due
	case time.Now().Before(t.ready):
		return map[string]any{"status": "processing"}, ""
	}
	return p.ready(t, due)
}

// findTask takes the id as a number or a text.
func (p *Provider) findTask(q request) (*task, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, ok := p.tasks[strings.Trim(string(q.TaskID), `"`)]
	return t, ok
}

// ready is the answer for a task whose time has come. An unsolvable one is refunded.
func (p *Provider) ready(t *task, due Failure) (map[string]any, Failure) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.unsolvable {
		if t.price > 0 {
			p.balance, p.spent, t.price = p.balance+t.price, p.spent-t.price, 0
			p.counts.Unsolvable++
		}
		return nil, "ERROR_CAPTCHA_UNSOLVABLE"
	}
	text := t.text
	if due == Hostile {
		text = strings.Repeat("<script>alert(1)</script>\x00", 400)
	}
	answer := map[string]any{"status": "ready", "solution": map[string]any{"text": text}}
	if p.service == CapSolver {
		answer["taskId"] = t.id
	} else {
		answer["cost"] = fmt.Sprintf("%.5f", t.price.usd())
	}
	return answer, ""
}

func (p *Provider) account(_ context.Context, _ request, due Failure) (map[string]any, Failure) {
	if due != "" {
		return nil, due
	}
	return map[string]any{"balance": p.Counts().BalanceUSD}, ""
}

func (p *Provider) reportBad(_ context.Context, q request, due Failure) (map[string]any, Failure) {
	return p.report(q, due, func(t *task) {
		p.counts.Reported++
		if !t.wrong {
			p.counts.Misreported++
		}
	})
}

func (p *Provider) reportGood(_ context.Context, q request, due Failure) (map[string]any, Failure) {
	return p.report(q, due, func(*task) {})
}

// report is taken once per task.
func (p *Provider) report(q request, due Failure, book func(*task)) (map[string]any, Failure) {
	t, found := p.findTask(q)
	if due != "" {
		return nil, due
	}
	if !found {
		return nil, "ERROR_NO_SUCH_CAPCHA_ID"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !t.reported {
		t.reported = true
		book(t)
	}
	return map[string]any{"status": "success"}, ""
}
