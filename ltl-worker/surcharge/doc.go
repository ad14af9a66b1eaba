// Package surcharge finds a carrier's LTL fuel surcharges in a document that it has never seen: an HTML page or a JSON
// text. It goes by what labels mean and by what values look like, and a column must satisfy both. Where more than one
// reading is possible it refuses the document: a missing answer can be asked for again, a wrong one is paid for.
// Whether the words around the figures are believed is for package trust.
//
// # The way of a page
//
//	document.FromHTML   or FromJSON: one walk makes a tree of leaves, each a date, a figure or words, and all texts
//	document.Lists      walks down once; a record is the smallest repeated part with a date and a figure
//	table, list         make rows of records alike, under labels: headings, member names, words beside a value
//	column.OwnRows      leaves out rows that a section or a cell calls another service or place
//	column.Find         takes the columns of dates, percents and prices by what labels mean and values look like
//	newHistory          makes weeks of the rows
//	unite               joins the histories of the page, or refuses those that differ
//	splitAt             parts the weeks in force from those to come
//	trust.Lines         makes lines of the texts; one near the weeks counts always, another where it speaks of them
//	trust.Past.Prove    holds the weeks against the bracket table and what was seen clean before
//	trust.Judge         believes the weeks, or says which words or figures a person must look at
//
// Take this page:
//
//	<h1>Fuel Surcharge</h1>
//	<table>
//	  <tr><th>Effective</th> <th>DOE Price</th> <th>LTL</th>    <th>TL</th></tr>
//	  <tr><td>9/9/2026</td>  <td>$5.702</td>    <td>50.32%</td> <td>100.64%</td></tr>
//	  <tr><td>9/2/2026</td>  <td>$5.599</td>    <td>TBD</td>    <td>92.64%</td></tr>
//	</table>
//
// It is one list with four columns and two rows, under "Fuel Surcharge". Effective holds the dates, LTL the percents,
// DOE Price the prices. TL holds the percents of truckloads, which also serve as a check: they must be the higher ones.
// 9/9 is a week with two clean items of two. The record of 9/2 has no percent: it counts as one clean item of two
// against the week that stands in its place. A record without a percent that is newer than all weeks is named instead
// (Unreadable). ExampleRead runs this page.
//
// Package meaning is the vocabulary; its lexicon has the words by which a table or a column is another's. Package
// calendar counts days and weeks, and package refusal names the grounds of a refusal. Imports run one way: this
// package, then column, document, cell, meaning, token.
package surcharge
