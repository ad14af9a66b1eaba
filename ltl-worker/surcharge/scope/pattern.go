package scope

import (
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
)

// pattern is an expression of a list: telling.txt says what the figures then are, neutral.txt what is put in its place.
type pattern struct {
	*regexp.Regexp
	says, with string
}

// group is what stands together in a list: "fees = …", or expressions below what they say.
type group struct {
	says, with  string
	expressions []string
}

// groupsOf reads a list of patterns. Its form stands at its top.
func groupsOf(list string) (groups []group) {
	parts := strings.NewReplacer()
	var names []string
	for block := range strings.SplitSeq(list, "\n\n") {
		var g group
		for line := range strings.Lines(block) {
			line = strings.TrimSuffix(line, "\n")
			expression, isExpression := strings.CutPrefix(line, "\t")
			with, isWith := strings.CutPrefix(expression, "=> ")
			name, part, isPart := strings.Cut(line, " = ")
			switch {
			case strings.HasPrefix(line, "#"):
			case isExpression && isWith:
				var err error
				if g.with, err = strconv.Unquote(with); err != nil {
					panic(fmt.Sprintf("%s: %v", line, err))
				}
			case isExpression:
				g.expressions = append(g.expressions, parts.Replace(expression))
			case isPart:
				names = append(names, "{"+name+"}", "(?:"+parts.Replace(part)+")")
				parts = strings.NewReplacer(names...)
			default:
				g.says = line
			}
		}
		if len(g.expressions) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// patternSet finds the patterns that a text may have. Most texts have none of most patterns, and to search for each takes long: so a
// pattern is searched for where all words stand that its matches have.
type patternSet struct {
	patterns []pattern
	needs    [][][]string       // by pattern: of each set of literals a match has one
	literals [1 << 12][]literal // those of the rarest set of each pattern, by the hash of their first three bytes
	short    []literal          // the same, of fewer bytes
}

type literal struct {
	text    string
	pattern int // its place in patterns
}

// newPatternSet reads a list, each of whose expressions begins with the flags.
func newPatternSet(list, flags string) *patternSet {
	s := &patternSet{}
	for _, g := range groupsOf(list) {
		for _, expression := range g.expressions {
			s.add(pattern{Regexp: regexp.MustCompile(flags + expression), says: g.says, with: g.with})
		}
	}
	return s
}

func (s *patternSet) add(p pattern) {
	tree, err := syntax.Parse(p.String(), syntax.Perl)
	needs := needsOf(tree)
	if err != nil || len(needs) == 0 {
		panic("no literal is in every match of " + p.String())
	}
	slices.SortStableFunc(needs, rarestFirst)
	for _, text := range needs[0] {
		if l := (literal{text, len(s.patterns)}); len(text) < 3 {
			s.short = append(s.short, l)
		} else {
			h := hashOf(text)
			s.literals[h] = append(s.literals[h], l)
		}
	}
	s.patterns, s.needs = append(s.patterns, p), append(s.needs, needs[1:])
}

// hashOf is a hash of the first three bytes.
func hashOf(text string) uint32 {
	return (uint32(text[0])<<16 | uint32(text[1])<<8 | uint32(text[2])) * 0x9E3779B1 >> 20
}

// candidates are the patterns that a text in small letters may have, in the order of the list.
func (s *patternSet) candidates(text string) iter.Seq[pattern] {
	var found []int
	for i := 0; i+2 < len(text); i++ {
		for _, l := range s.literals[hashOf(text[i:])] {
			if strings.HasPrefix(text[i:], l.text) {
				found = append(found, l.pattern)
			}
		}
	}
	for _, l := range s.short {
		if strings.Contains(text, l.text) {
			found = append(found, l.pattern)
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	return func(yield func(pattern) bool) {
		for _, i := range found {
			if s.hasAll(text, i) && !yield(s.patterns[i]) {
				return
			}
		}
	}
}

// hasAll tells whether a text has one literal of each set that the pattern needs.
func (s *patternSet) hasAll(text string, pattern int) bool {
	for _, literals := range s.needs[pattern] {
		if !saysOne(text, literals...) {
			return false
		}
	}
	return true
}

// needsOf are sets of literals in small letters: each match of an expression has one of each set.
func needsOf(tree *syntax.Regexp) (needs [][]string) {
	switch {
	case tree.Op == syntax.OpLiteral:
		return [][]string{{strings.ToLower(string(tree.Rune))}}
	case tree.Op == syntax.OpCapture, tree.Op == syntax.OpPlus, tree.Op == syntax.OpRepeat && tree.Min > 0:
		return needsOf(tree.Sub[0])
	case tree.Op == syntax.OpConcat:
		for _, sub := range tree.Sub {
			needs = append(needs, needsOf(sub)...)
		}
	case tree.Op == syntax.OpAlternate:
		var literals []string
		for _, sub := range tree.Sub {
			ofSub := needsOf(sub)
			if len(ofSub) == 0 {
				return nil
			}
			literals = append(literals, slices.MinFunc(ofSub, rarestFirst)...)
		}
		return [][]string{literals}
	}
	return needs
}

func rarestFirst(a, b []string) int { return cmp.Compare(commonness(a), commonness(b)) }

// commonness is a guess of how many texts have one of the literals: the shorter a word, the more.
func commonness(literals []string) (sum int) {
	for _, text := range literals {
		letters := len(strings.TrimSpace(text))
		sum += 1000 / (1 + letters*letters*letters)
	}
	return sum
}
