// Package spreadsheet writes answers as CSV that spreadsheets read safely (RFC 4180, contract §7.2).
//
// A [Table] knows the columns of one Go type and turns JSON objects of that type into rows, so that the JSON and the
// CSV of an answer cannot differ. [AppendText] and [AppendNumber] write single cells. A text that holds a number says
// so by a tag of its Go member: a guess would let the name "-1" pass as one. encoding/csv is not used, because with the
// line ends of RFC 4180 it changes line breaks in cells.
package spreadsheet
