import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";
import { CellResult } from "../../contract/result.ts";
import { BlobHead } from "../../engine/blob.ts";
import { streamLines } from "../../report/convert/read-report.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { parseStrictJson } from "../../shared/json/strict-json.ts";
import { zodProblem } from "../../shared/json/zod-problem.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";

/** What a shard left, with its cells still in the file. */
export interface Blob {
  head: BlobHead;
  shown: string;
  path: string;
}

/** A stored cell and its position in the plan. */
const BlobLine = z.object({ position: z.int().min(0), cell: CellResult });

const hint = "name the files that `--shard` wrote, or the folder they are in";

/** The shards of one run, in their order; refuses files of different runs. A shard that comes twice is there twice. */
export function openBlobs(paths: readonly string[], cwd: string): Blob[] {
  const files = paths.flatMap((path) => blobFiles(path, cwd));
  const blobs = files.map((path) => readHead(resolve(cwd, path), path));
  blobs.sort((a, b) => a.head.shard.index - b.head.shard.index);
  const [first] = blobs;
  if (first === undefined)
    throw new UserError("nothing-to-do", `no shards found in ${listed(paths, 5)}`, { hint });
  for (const other of blobs) refuseOther(first, other);
  return blobs;
}

/** The numbers of the shards that are not there. */
export function missingShards(blobs: readonly Blob[]): number[] {
  const count = blobs[0]?.head.shard.count ?? 0;
  const found = new Set(blobs.map(({ head }) => head.shard.index));
  return Array.from({ length: count }, (_, at) => at + 1).filter((index) => !found.has(index));
}

/** Every cell once, as it was stored. Two different results of one cell are nobody's truth. */
export function* blobCells(blobs: readonly Blob[]): Generator<{ position: number; cell: CellResult }> {
  const seen = new Map<string, { digest: string; shown: string }>();
  for (const { head, path, shown } of blobs) {
    let count = 0;
    for (const line of bodyLines(path, shown)) {
      count++;
      const one = parseLine(line, BlobLine, shown, `line ${count + 1}`);
      const { key, caseId, trial } = one.cell;
      const digest = sha256(line);
      const earlier = seen.get(key);
      if (earlier === undefined) {
        seen.set(key, { digest, shown });
        // As it was written: what was checked has its members in another order.
        yield { position: one.position, cell: (JSON.parse(line) as { cell: CellResult }).cell };
      } else if (earlier.digest !== digest)
        throw invalid(
          `${earlier.shown} and ${shown} have different results of case ${caseId}, trial ${trial}`,
          shown,
          "keep the files of one attempt of each shard",
        );
    }
    if (count !== head.cells)
      throw invalid(
        `${shown} has ${count} of its ${pluralize(head.cells, "cell")}`,
        shown,
        "copy it again, or run the shard again with --resume",
      );
  }
}

function blobFiles(path: string, cwd: string): string[] {
  const found = statSync(resolve(cwd, path), { throwIfNoEntry: false });
  if (found === undefined) throw invalid(`${path} not found`, path, hint);
  if (!found.isDirectory()) return [path];
  return readdirSync(resolve(cwd, path))
    .filter((name) => /-shard-\d+-of-\d+\.ndjson$/.test(name))
    .sort()
    .map((name) => join(path, name));
}

function readHead(path: string, shown: string): Blob {
  for (const line of streamLines(path, shown)) {
    const head = parseLine(line, BlobHead, shown, "line 1");
    return { head, shown, path };
  }
  throw invalid(`${shown} is empty`, shown, hint);
}

function* bodyLines(path: string, shown: string): Generator<string> {
  let isHead = true;
  for (const line of streamLines(path, shown)) {
    if (!isHead && line !== "") yield line;
    isHead = false;
  }
}

function parseLine<Value>(line: string, schema: z.ZodType<Value>, shown: string, at: string): Value {
  const read = parseStrictJson(line);
  const parsed = read.ok ? schema.safeParse(read.value) : null;
  if (parsed?.success) return parsed.data;
  const why = parsed === null ? "it is not JSON" : zodProblem(parsed.error).message;
  throw invalid(`${shown}, ${at}: not a shard file: ${why}`, shown, hint);
}

function refuseOther(first: Blob, other: Blob): void {
  const [a, b] = [first.head, other.head];
  const differs =
    a.toolVersion !== b.toolVersion
      ? `eval-skills ${a.toolVersion} and ${b.toolVersion}`
      : a.shard.count !== b.shard.count
        ? `shards of ${a.shard.count} and of ${b.shard.count}`
        : a.planDigest !== b.planDigest
          ? "different plans"
          : null;
  if (differs === null) return;
  throw invalid(
    `${first.shown} and ${other.shown} are not of one run: ${differs}`,
    other.shown,
    "all shards need the same files, options and version",
  );
}

function invalid(message: string, path: string, text: string): UserError {
  return new UserError("report-invalid", message, { path, hint: text });
}
