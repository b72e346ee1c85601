// The bare way to leave a trace of a run: a folder, thirty lines one by one, a few small files, one sync.
import { closeSync, fdatasyncSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const [folder, count] = process.argv.slice(2);
for (let n = 0; n < Number(count); n++) {
  const dir = join(folder, String(n));
  for (const name of ["inputs", "sandbox"]) mkdirSync(join(dir, name), { recursive: true });
  const log = openSync(join(dir, "events.jsonl"), "a");
  for (let seq = 1; seq <= 30; seq++)
    writeSync(log, `${JSON.stringify({ v: 1, seq, type: "event", data: { text: "x".repeat(300) } })}\n`);
  fdatasyncSync(log);
  closeSync(log);
  for (const name of ["state.json", "final.md", "inputs/request.txt"])
    writeFileSync(join(dir, name), "text\n");
}
