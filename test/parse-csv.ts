/** Reads RFC 4180: rows of values. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const value = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  for (let found = value.exec(text); found !== null; found = value.exec(text)) {
    const [, quoted, bare = "", end] = found;
    if (end === "" && bare === "" && quoted === undefined && row.length === 0) break;
    row.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === ",") continue;
    rows.push(row);
    row = [];
    if (end === "") break;
  }
  if (value.lastIndex !== text.length && value.lastIndex !== 0) throw new Error("this is not CSV");
  return rows;
}
