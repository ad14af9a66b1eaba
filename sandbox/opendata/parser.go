package opendata

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// ErrSyntax is a condition that cannot be parsed.
var ErrSyntax = errors.New("malformed condition")

// NoSuchColumn is a condition, selection or order on a column that the data set does not have.
type NoSuchColumn struct{ Column string }

func (e NoSuchColumn) Error() string { return "no such column: " + e.Column }

// maxDepth bounds the nesting of a condition.
const maxDepth = 32

var token = regexp.MustCompile(`\s*(?:('(?:[^']|'')*')|([A-Za-z_:][\w:]*)|(-?\d+(?:\.\d+)?)|([=>()]))`)

// ParsePredicate reads the conditions that workers send, which SoQL and ArcGIS share: AND, OR, parentheses, =, upper,
// and LIKE with % and _ (a backslash escapes). The error is ErrSyntax or NoSuchColumn.
func ParsePredicate(text string, columns []string) (Predicate, error) {
	p := &parser{columns: columns}
	for rest := text; strings.TrimSpace(rest) != ""; {
		m := token.FindStringSubmatchIndex(rest)
		if m == nil || m[0] != 0 {
			return nil, fmt.Errorf("%w at %q", ErrSyntax, rest)
		}
		p.tokens = append(p.tokens, strings.TrimSpace(rest[:m[1]]))
		rest = rest[m[1]:]
	}
	predicate, err := p.or(0)
	if err == nil && p.peek() != "" {
		err = fmt.Errorf("%w at %q", ErrSyntax, p.peek())
	}
	return predicate, err
}

type parser struct {
	tokens  []string
	columns []string
}

func (p *parser) peek() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

func (p *parser) next() string {
	t := p.peek()
	if t != "" {
		p.tokens = p.tokens[1:]
	}
	return t
}

// accept takes the word if it comes next.
func (p *parser) accept(word string) bool {
	if !strings.EqualFold(p.peek(), word) {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(word string) error {
	if !p.accept(word) {
		return fmt.Errorf("%w: want %q, got %q", ErrSyntax, word, p.peek())
	}
	return nil
}

func (p *parser) or(depth int) (Predicate, error) {
	left, err := p.and(depth)
	for err == nil && p.accept("OR") {
		var right Predicate
		right, err = p.and(depth)
		a := left
		left = func(r Row) bool { return a(r) || right(r) }
	}
	return left, err
}

func (p *parser) and(depth int) (Predicate, error) {
	left, err := p.condition(depth)
	for err == nil && p.accept("AND") {
		var right Predicate
		right, err = p.condition(depth)
		a := left
		left = func(r Row) bool { return a(r) && right(r) }
	}
	return left, err
}

func (p *parser) condition(depth int) (Predicate, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%w: nested too deep", ErrSyntax)
	}
	if p.accept("(") {
		inner, err := p.or(depth + 1)
		if err != nil {
			return nil, err
		}
		return inner, p.expect(")")
	}
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	if p.accept("LIKE") {
		return p.like(left)
	}
	sign := 0
	if p.accept(">") {
		sign = 1
	} else if err := p.expect("="); err != nil {
		return nil, err
	}
	right, err := p.operand()
	return func(r Row) bool {
		a, ok := left(r)
		b, also := right(r)
		return ok && also && order(a, b) == sign
	}, err
}

func (p *parser) like(left value) (Predicate, error) {
	quoted := p.next()
	if !strings.HasPrefix(quoted, "'") {
		return nil, fmt.Errorf("%w: LIKE wants a text", ErrSyntax)
	}
	matches := likePattern(unquote(quoted))
	return func(r Row) bool { text, ok := left(r); return ok && matches(text) }, nil
}

func (p *parser) operand() (value, error) {
	t := p.next()
	switch {
	case t == "":
		return nil, fmt.Errorf("%w: it ends too early", ErrSyntax)
	case t[0] == '\'':
		return constant(unquote(t)), nil
	case t[0] == '-' || t[0] >= '0' && t[0] <= '9':
		return constant(t), nil
	case strings.EqualFold(t, "upper") && p.accept("("):
		inner, err := p.operand()
		if err != nil {
			return nil, err
		}
		return func(r Row) (string, bool) { s, ok := inner(r); return strings.ToUpper(s), ok }, p.expect(")")
	}
	column := slices.IndexFunc(p.columns, func(name string) bool { return strings.EqualFold(name, t) })
	if column < 0 {
		return nil, NoSuchColumn{Column: t}
	}
	return func(r Row) (string, bool) { return r[column], r[column] != "" }, nil
}

func unquote(t string) string { return strings.ReplaceAll(t[1:len(t)-1], "''", "'") }
