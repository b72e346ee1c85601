import { createHash } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import * as z from "zod";
import { CellResult, parseCell } from "../../contract/result.ts";
import type { Store } from "../../contract/store.ts";
import { streamLines } from "../../report/convert/read-report.ts";
import { isoTime, systemClock } from "../../shared/async/clock.ts";
import { renameWholeFile } from "../../shared/files/whole-file.ts";
import { parseStrictJson } from "../../shared/json/strict-json.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { UserError, unwritable } from "../../shared/user-error.ts";

/** The first line of a file of verdicts; the last has their count and digest, so that a cut file is noticed. */
const Head = z.object({ verdicts: z.literal(1), toolVersion: z.string() });
const Line = z.object({ cell: CellResult });
const End = z.object({ end: z.int().min(0), digest: z.string() });

/** Writes the newest verdict of every cell, by key, and says how many. Where it was made stays with it. */
export async function writeVerdicts(store: Store, path: string, toolVersion: string): Promise<number> {
  const digest = createHash("sha256");
  const temporary = `${path}.${process.pid}.tmp`;
  let count = 0;
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeSync(file, `${JSON.stringify({ verdicts: 1, toolVersion })}\n`);
      for await (const text of newestVerdicts(store)) {
        const line = `{"cell":${text}}\n`;
        digest.update(line);
        writeSync(file, line);
        count++;
      }
      writeSync(file, `${JSON.stringify({ end: count, digest: `sha256:${digest.digest("hex")}` })}\n`);
    } finally {
      closeSync(file);
    }
    renameWholeFile(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error instanceof UserError ? error : unwritable(path, error);
  }
  return count;
}

async function* newestVerdicts(store: Store): AsyncGenerator<string> {
  const seen = new Set<string>();
  for await (const runs of store.earlierRuns(null))
    for (const { id } of runs)
      for await (const keys of store.verdictKeys(id))
        for (const key of keys) {
          if (seen.has(key)) continue;
          const text = await store.result(id, key);
          if (text === null) continue;
          seen.add(key);
          const cell = parseCell(text);
          yield cell.reusedFrom === undefined ? JSON.stringify({ ...cell, reusedFrom: id }) : text;
        }
}

/** What imported verdicts are a run of: no command resumes it, and `--changed` finds it. */
const importPlan = { command: "store import", format: 1 };
const atOnce = 500;

/** Takes the verdicts of a file into the store as one run. The whole file is checked before the store is touched; importing it again adds nothing. */
export async function importVerdicts(
  open: () => Promise<Store>,
  path: string,
  shown: string,
  toolVersion: string,
): Promise<{ count: number; isNew: boolean }> {
  const digest = checkFile(path, shown);
  await using store = await open();
  const runId = `import-${digest.slice("sha256:".length, "sha256:".length + 16)}`;
  const known = await store.findRun(runId);
  const now = () => isoTime(systemClock.now());
  if (known?.state === "done") return { count: [...cellsIn(path, shown)].length, isNew: false };
  if (known === null) await store.createRun({ id: runId, startedAt: now(), toolVersion, plan: importPlan });
  else await store.reopenRun(runId);
  let count = 0;
  let waiting: Promise<void>[] = [];
  const settle = async () => {
    store.flush();
    await Promise.all(waiting);
    waiting = [];
  };
  for (const { cell } of cellsIn(path, shown)) {
    waiting.push(store.cellEnded(runId, count++, cell));
    if (waiting.length >= atOnce) await settle();
  }
  await settle();
  await store.finishRun(runId, "done", [], now());
  return { count, isNew: true };
}

/** Reads a file to its end and returns its digest; anything that is not as it was written is refused. */
function checkFile(path: string, shown: string): string {
  const digest = createHash("sha256");
  const keys = new Set<string>();
  let end: z.infer<typeof End> | null = null;
  let at = 0;
  for (const line of streamLines(path, shown)) {
    at++;
    if (end !== null) throw damaged(shown, "something follows its last line");
    if (at === 1) parseLine(line, Head, shown, at);
    else if (line.startsWith('{"end":')) end = parseLine(line, End, shown, at);
    else {
      const { key, status } = parseLine(line, Line, shown, at).cell;
      if (keys.has(key)) throw damaged(shown, `line ${at} repeats the cell ${key}`);
      if (status === "invalid") throw damaged(shown, `line ${at} holds a result without a verdict`);
      keys.add(key);
      digest.update(`${line}\n`);
    }
  }
  if (end === null) throw damaged(shown, "its end is missing");
  const found = `sha256:${digest.digest("hex")}`;
  if (end.end !== keys.size || end.digest !== found)
    throw damaged(shown, `its ${pluralize(keys.size, "verdict")} are not those that were written`);
  return found;
}

function* cellsIn(path: string, shown: string): Generator<{ cell: CellResult }> {
  for (const line of streamLines(path, shown))
    if (line.startsWith('{"cell":')) yield JSON.parse(line) as { cell: CellResult };
}

function parseLine<Value>(line: string, schema: z.ZodType<Value>, shown: string, at: number): Value {
  const read = parseStrictJson(line);
  const parsed = read.ok ? schema.safeParse(read.value) : null;
  if (parsed?.success) return parsed.data;
  throw damaged(shown, `line ${at} is not what \`store export\` writes`);
}

function damaged(shown: string, why: string): UserError {
  return new UserError("report-invalid", `${shown} cannot be imported: ${why}`, {
    path: shown,
    hint: "write it again with `eval-skills store export --keys <file>`",
  });
}
