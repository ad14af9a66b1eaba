// What each tool is called with, and what must come of it.
import { readFileSync } from "node:fs";

export const calls = {
  list_carriers: {},
  get_fuel_surcharge: { carrier: "ODFL", weeks: 2 },
  get_fuel_table: { carrier: "ODFL" },
  get_diesel_prices: { from: "2026-08-01", to: "2026-09-21" },
  audit_fuel_surcharge: { lines: [{ id: "A1", carrier: "ODFL", ship_date: "2026-09-11", billed_pct: "46.82" }] },
  get_accessorials: { carrier: "ODFL" },
  list_states: {},
  search_licenses: { state: "CA", dba_name: "cafe" },
  get_license: { state: "CA", license_number: process.env.LICENSE },
};

// judge prints a line and returns whether the result is right: structured content equal to its last text (a verdict in words may stand
// before it), or, for the tool that is not there yet, COMING_SOON.
export function judge(who, tool, result) {
  const text = result.content.at(-1).text;
  const right = tool === "get_accessorials"
    ? result.isError && text.startsWith("COMING_SOON: ")
    : !result.isError && JSON.stringify(JSON.parse(text)) === JSON.stringify(result.structuredContent);
  console.log(`${right ? "ok  " : "FAIL"} ${who}: ${tool}  ${text.slice(0, 60).replaceAll("\n", " ")}`);
  return right;
}

const [command, who, tool] = process.argv.slice(2);
if (command === "names") {
  for (const { name } of JSON.parse(readFileSync(0)).tools) console.log(name, JSON.stringify(calls[name]));
} else if (command === "judge") {
  process.exitCode = judge(who, tool, JSON.parse(readFileSync(0))) ? 0 : 1;
}
