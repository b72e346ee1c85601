// Finds books by words of their title or author: find.mjs <words…>
import { readFileSync } from "node:fs";

const list = new URL("../references/shelves.csv", import.meta.url);
const plain = (text) =>
  text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
const words = process.argv.slice(2).map(plain);
const [, ...rows] = readFileSync(list, "utf8").trim().split("\n");
const found = rows.filter((row) => words.every((word) => plain(row).includes(word)));

if (words.length === 0 || found.length === 0) {
  console.error("no such book");
  process.exitCode = 1;
}
for (const row of words.length === 0 ? [] : found) console.log(row);
