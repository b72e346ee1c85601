import { visibleText } from "../../shared/text/visible-text.ts";

/** A line of RFC 4180: numbers as they are, text quoted where it must be, nothing for what is not known. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) return "";
  return typeof value === "number" ? String(value) : csvText(value);
}

/** Text that stays text: a spreadsheet would run what begins like a formula. */
function csvText(text: string): string {
  const shown = text.replace(/[^\t\r\n]+/g, visibleText);
  const inert = /^[=+\-@\t\r]/.test(shown) ? `'${shown}` : shown;
  const isPlain = inert === text && !/[",\r\n]/.test(inert);
  return isPlain ? inert : `"${inert.replaceAll('"', '""')}"`;
}
