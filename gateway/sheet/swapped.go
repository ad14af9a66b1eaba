package sheet

import "assay.dev/contracts"

// swapped is a date that a spreadsheet read in another order than it was written in, and one of the same column that it
// left as text; both are empty where nothing tells so. Where both numbers are months it makes a day, and swaps them: the
// days that it makes are the months of the texts, and their months are far from these.
func swapped(texts []string) (made, left string) {
	const december = 12
	var days []contracts.Date
	var isMonth, isNear [december]bool
	for _, text := range texts {
		first, err1 := Dates{}.parse(text, MonthFirst)
		second, err2 := Dates{}.parse(text, DayFirst)
		switch parts := dateParts(withoutTime(text)); {
		case (err1 == nil) != (err2 == nil):
			left = text
			month := number(string(max(first, second)[5:7])) // one of them is empty
			isMonth[month-1] = true
			isNear[(month+10)%december], isNear[month-1], isNear[month%december] = true, true, true
		case err1 != nil:
		case len(parts) == 3 && len(parts[0]) == 4 && number(parts[2]) <= december:
			days = append(days, first)
		default:
			return "", ""
		}
	}
	for _, day := range days {
		if !isMonth[number(string(day[8:]))-1] {
			return "", ""
		}
		if !isNear[number(string(day[5:7]))-1] {
			made = string(day)
		}
	}
	return made, left
}
