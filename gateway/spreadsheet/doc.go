// Package spreadsheet writes answers as CSV that spreadsheets read safely (RFC 4180, contract §7.2).
//
// A [Table] knows the columns of one Go type and turns JSON objects of that type into rows, so that the JSON and the
// CSV of an answer cannot differ. [AppendText] and [AppendNumber] write single cells.
package spreadsheet
