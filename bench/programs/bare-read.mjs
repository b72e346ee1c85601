// Reads every file below a folder, one after the other, and throws it away: the least that looking at skills can cost.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

let bytes = 0;
const waiting = [process.argv[2]];
for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) waiting.push(path);
    else bytes += readFileSync(path).length;
  }
console.log(bytes);
