// CSV as RFC 4180 has it: cells between commas, rows between line ends, both of which may stand in quoted cells.

const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/y;

// rowsOf are the rows of a text, each a list of cells.
export function rowsOf(text) {
  const rows = [];
  let row = [];
  for (cell.lastIndex = 0; cell.lastIndex < text.length;) {
    const found = cell.exec(text);
    if (!found) throw new Error("The answer is no CSV.");
    const [, written, end] = found;
    row.push(written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written);
    if (end !== ",") {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

// recordsOf are the rows below the header, each an object by the names in the header.
export function recordsOf(text) {
  const [names, ...rows] = rowsOf(text);
  return rows.map(row => Object.fromEntries(names.map((name, i) => [name, row[i] ?? ""])));
}
