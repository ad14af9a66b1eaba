// Package trust decides whether the weeks that were read from a document are believed. It understands no sentence: a
// page is believed like an SSH host. The words around its figures are known; where they change a person is asked,
// unless the figures prove themselves and the new words hold no stop word, number or day.
//
// # The way of a reading
//
//	weeks    what an extractor took from a document: dates, percents, prices ([Reading.Weeks]). Any extractor will do.
//	lines    the texts of the same document ([Lines]). A line near the table counts always, another one only
//	         where it speaks of a surcharge or of percents with a stop word, a number or a day, and is no link in a menu.
//	known    the lines that a person accepted, or that figures proved, for this path of the source ([Wording.Known])
//	figures  the weeks held against what is known: a bracket table and the archive ([Past.Prove])
//	verdict  clean, or notes that say why not ([Judge])
//
// A line is made comparable before it is looked up: small letters and one blank for white space; the percents and
// prices of the two newest weeks, or of the week in whose record the line stands, are replaced by their kind, and each
// date by @past, @current (within eight days of the newest week) or @later. All other numbers stay. But where a
// person accepted a line twice, each time with another number, such as a count of entries or the id of an answer, any
// number is known there, unless the line may say something of the percents or had one of them. Where the newest week
// begins on 9/9/2026 with 50.12 %,
//
//	Current surcharge: 50.12% (from September 9, 2026), capped at 60%; valid until 12/31/2026
//
// becomes
//
//	current surcharge: @percent% (from @current), capped at 60%; valid until @later
//
// so that next week's edition has the same line, and the one of January has another.
package trust
