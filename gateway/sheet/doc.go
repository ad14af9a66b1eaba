// Package sheet reads tables as people have them: delimited text in several charsets, and workbooks of spreadsheets
// (.xlsx), with headings, dates and numbers as their programs write them.
//
// [ReadText] and [ReadObjects] give the rows of a file, [Match] finds its headings and tells which column holds which
// [Field], [MatchWorkbook] does both for a workbook, [Dates] and [Numbers] read the values of a column by the form that
// the column as a whole has. Where a file allows two readings, none is chosen: the error says what to say.
//
// Every file is foreign: what it may hold is bounded before it is kept. The package knows nothing of what the fields
// are for.
package sheet
