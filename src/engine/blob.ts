import { resolve } from "node:path";
import * as z from "zod";
import { RunReport } from "../contract/document.ts";
import type { CanaryFigures } from "../contract/figures.ts";
import type { Rendered } from "../contract/format.ts";
import type { SuiteRun } from "../contract/level.ts";
import { parseCell } from "../contract/result.ts";
import { maxShards, type Shard } from "../contract/shard.ts";
import type { Disk } from "../shared/files/disk.ts";
import { writeWholeFile } from "../shared/files/whole-file.ts";
import { canonicalJson, sha256 } from "../shared/json/canonical-json.ts";
import { AnyJson, type Json } from "../shared/json/json.ts";
import { UserError, unwritable } from "../shared/user-error.ts";
import type { PreparedRun } from "./prepared-run.ts";
import type { Session } from "./session.ts";
import { spoolCells } from "./spooled-cells.ts";
import type { ReportName } from "./write-reports.ts";

/** The first line of a blob: the shard, what it is a part of, and how it was made. */
export const BlobHead = z.object({
  blob: z.literal(1),
  toolVersion: z.string(),
  shard: z
    .object({ index: z.int().min(1), count: z.int().min(1).max(maxShards) })
    .refine(({ index, count }) => index <= count, "no such shard"),
  /** The same for all shards of a run, whatever machine they were made on. */
  planDigest: z.string(),
  plan: z.looseObject({ command: z.string(), options: z.record(z.string(), AnyJson) }),
  run: RunReport.pick({ id: true, startedAt: true, containment: true, concurrency: true, machine: true }),
  canaries: z.array(z.tuple([z.string(), AnyJson])),
  warnings: z.array(z.string()),
  cells: z.int().min(0),
});
export type BlobHead = z.infer<typeof BlobHead>;

/** Where a shard leaves its cells. */
export function shardFile(
  { outputDir, reportName }: { outputDir: string; reportName: ReportName },
  { index, count }: Shard,
): string {
  return resolve(outputDir, `${reportName}-shard-${index}-of-${count}.ndjson`);
}

interface BlobFacts {
  session: Pick<Session<object, PreparedRun>, "run" | "store">;
  suites: readonly SuiteRun[];
  shard: Shard;
  report: Pick<Rendered, "run" | "tool" | "warnings">;
  canaries: ReadonlyMap<string, CanaryFigures>;
}

/** Writes the cells of a shard as they are stored, each with its position in the plan, below a line that says what they are a part of. */
export async function writeBlob(path: string, facts: BlobFacts, disk: Disk | undefined): Promise<void> {
  const { session, suites, shard, report, canaries } = facts;
  const { run, store } = session;
  const plan = (await store.findRun(run.id))?.plan ?? null;
  const positions = new Map(
    suites.flatMap(({ cells }) => Array.from(cells, ({ key, position }) => [key, position] as const)),
  );
  // As stored: what a report shows of a cell may be less.
  const stored = suites.map(({ level, id, subjects }) => ({ level, id, subjects }));
  using spool = await spoolCells(store, run.id, stored, { disk });
  const { id, startedAt, containment, concurrency, machine, planDigest } = report.run;
  const head = {
    blob: 1,
    toolVersion: report.tool.version,
    shard: { ...shard },
    planDigest: runDigest(planDigest, plan),
    plan,
    run: { id, startedAt, containment, concurrency, machine },
    canaries: [...canaries].map(([judge, figures]): Json => [judge, figures as unknown as Json]),
    warnings: report.warnings,
    cells: positions.size,
  };
  function* lines() {
    yield `${JSON.stringify(head)}\n`;
    for (const text of spool.read()) {
      const position = positions.get(parseCell(text).key);
      if (position !== undefined) yield `{"position":${position},"cell":${text}}\n`;
    }
  }
  try {
    writeWholeFile(path, lines(), { mode: 0o600, ...(disk !== undefined && { disk }) });
  } catch (error) {
    throw error instanceof UserError ? error : unwritable(path, error);
  }
}

/** Of everything that decides the cells of a run and how they are judged. */
function runDigest(planDigest: string, plan: unknown): string {
  const { command, format, identity } = plan as { command: Json; format: Json; identity: Json };
  return sha256(canonicalJson({ planDigest, command, format, identity }));
}
