package sheet

// leftAsText is a date of a column that a spreadsheet read in another order than it was written in: where both are
// months, it made a day, and swapped them; all the others are texts still. Empty for a column that is not such.
func leftAsText(texts []string) (left string) {
	isMade := false
	for _, text := range texts {
		_, err1 := Dates{}.parse(text, MonthFirst)
		_, err2 := Dates{}.parse(text, DayFirst)
		switch parts := dateParts(withoutTime(text)); {
		case (err1 == nil) != (err2 == nil):
			left = text
		case err1 != nil:
		case len(parts) == 3 && len(parts[0]) == 4 && number(parts[2]) <= 12:
			isMade = true
		default:
			return ""
		}
	}
	if !isMade {
		return ""
	}
	return left
}
