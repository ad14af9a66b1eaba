// Package surcharge finds a carrier's LTL fuel surcharges in a document that it has never seen: an HTML page or a
// JSON text. It goes by what headings mean and by what values look like, and a column must satisfy both. Where more
// than one reading is possible it refuses the document: a missing answer can be asked for again, a wrong one is paid
// for.
//
// # The way of a page
//
// Each room that a page goes through is a package. Take this page:
//
//	<h1>Fuel Surcharge</h1>
//	<table>
//	  <tr><th>Effective</th> <th>DOE Price</th> <th>LTL</th>    <th>TL</th></tr>
//	  <tr><td>9/9/2026</td>  <td>$5.702</td>    <td>50.32%</td> <td>100.64%</td></tr>
//	  <tr><td>9/2/2026</td>  <td>$5.599</td>    <td>TBD</td>    <td>92.64%</td></tr>
//	</table>
//
// Package sheet lays the document out as sheets: rows under headings, with the texts that stand over them. Here it
// makes one sheet with four columns, two rows and the context "Fuel Surcharge". Each layout has a file: rows under
// headings (upright.go), records side by side (turned.go), weeks that are no table (loose.go: cards, list items, lines,
// sections whose heading is the date, sentences), figures that each find their date somewhere in their table (cellwise.go), lists of
// JSON records (json.go). A further layout is a further file that makes sheets. Each sheet also has the texts around it, with where they stand.
//
// Package cell reads each cell while the sheet is made: 9/9/2026 is a date, $5.702 a figure in dollars, 50.32% a
// figure in percent, and TBD says nothing. Units are read here; headings are not known here.
//
// Package scope judges what qualifies the figures: titles, tabs, captions, headings, logos, the lines beside the table, and
// cells that name a service or a place. Its world is closed: in a title, a word that is not known to be neutral leaves the
// percents in doubt, and the answer below the gate of 0.90. What is certainly about the site and not about the figures is left out
// before: blocks with the names that sites give to news or praise, and lines such as prices of shares (imprint.go). Three lists make the world. The lexicon has the words that
// qualify, by their kind: territories, services, parts of the shipments, parties, programmes, charges, units, editions that
// are not in force. Brands are the names of other companies. Everyday English, with the forms of its verbs, and the words of
// sites and of the trade are neutral. But before a noun of the trade, such as "shipments" or "service", only a short list of words is
// neutral (modifier.go): "Weekend pickups" are not ours. And a title, or a sentence about the figures, must not be in a mood of
// what is not charged: thought of, asked, tried out, wrong, over (mood.go). What stands behind a preposition in a title must be ours too:
// "Rates for guests of the fair" (title.go). A line that is built in another way than a title, such as an invitation or a question, and a
// sentence that tells what the company does with freight, count only by words that are known to qualify (invitation.go). In a sentence an unknown word counts only where it can name something: with a capital,
// before what is named, behind a preposition ("applies to Zorbex shipments only"). Sentences apart from the table weigh only
// when they point at the figures ("These percentages are for Canada"), in whatever part of the page they stand. The sentence of a figure itself is judged most
// strictly: it must not say what may be, a limit, an average or a change. What makes figures others wherever it stands,
// such as an offer that is taken off already, is known by patterns (telling.txt, offer.go). Those of neutral.txt are put out of a text before.
// Here all words are known.
// Under the title "Canada" the sheet would be refused, and under "Zone 4" it would be in doubt.
//
// Package column finds which column is what, by tables of named rules. Effective holds the dates, LTL the percents,
// DOE Price the diesel prices. TL holds the percents of truckloads, which also serve as a check: they must be the higher
// ones.
//
// This package gives the verdict. It makes a record of each row and weeks of the records (record.go, history.go),
// joins the histories of the page (union.go), compares the weeks with the sentences of the page that correct or state a percent
// (correction.go), and accepts or refuses the document (search.go). Here 9/9 is a week
// with two clean items of two. The record of 9/2 has no percent: it counts as one clean item of two against the week
// that stands in its place. A record without a percent that is newer than all weeks is named instead (Unreadable).
//
// Small rooms serve all of these: package token cuts text into words, digits and symbols, package meaning is the
// vocabulary, package calendar counts days and weeks, and package refusal names the grounds of a refusal.
//
// Imports run one way: this package, then column, scope, sheet, cell, meaning, token. ExampleRead runs the page
// above.
package surcharge
