import type { CanaryFigures } from "../../contract/figures.ts";
import type { Store } from "../../contract/store.ts";
import type { BlobHead } from "../../engine/blob.ts";
import type { MergedFacts } from "../../engine/prepared-run.ts";
import { type Blob, blobCells, missingShards, openBlobs } from "../../operations/report/read-blobs.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import type { Json } from "../../shared/json/json.ts";
import { listed } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";
import { openSqliteStore } from "../../store/sqlite.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import type { MergeFlags } from "./report-options.ts";

/** What a merged run is reported by: that of its shards. */
type Reporter = (options: ReportingOptions, io: CommandIo, merged: MergedFacts) => Promise<ExitCode>;
type ReportingOptions = Omit<MergeFlags, "blobs"> & { resume: string };

const reporters: Readonly<Record<string, () => Promise<Reporter>>> = {
  test: async () => (await import("./test.ts")).testCommand as Reporter,
  eval: async () => (await import("./eval.ts")).evalCommand as Reporter,
  trigger: async () => (await import("./trigger.ts")).triggerCommand as Reporter,
  "agent eval": async () => (await import("./agent-eval.ts")).agentEvalCommand as Reporter,
  planbench: async () => (await import("./planbench.ts")).planbenchCommand as Reporter,
};

/** `report merge`: the cells of all shards become one run in the store, which is then reported and judged as if it had been made here. */
export async function mergeCommand(
  { blobs: paths, ...options }: MergeFlags,
  io: CommandIo,
): Promise<ExitCode> {
  const blobs = openBlobs(paths, io.cwd);
  const [{ head }] = blobs as [Blob, ...Blob[]];
  const reporter = await reporters[head.plan.command]?.();
  if (reporter === undefined)
    throw new UserError("report-invalid", `shards of ${head.plan.command} cannot be merged`);
  const { config } = await loadCommandConfig(io);
  const storePath = writtenPath(options.store ?? config.store, io.cwd);
  const runId = mergedRunId(blobs);
  {
    await using store = await openSqliteStore(storePath);
    // Files that were damaged since are refused, although their cells are there.
    if ((await store.findRun(runId))?.state === "done") for (const _ of blobCells(blobs));
    else await importCells(store, runId, blobs, io.cwd);
  }
  return reporter({ ...options, resume: runId }, io, mergedFacts(blobs));
}

/** The same for the same shards, so that merging them twice changes nothing. */
function mergedRunId(blobs: readonly Blob[]): string {
  const starts = blobs.map(({ head }) => head.run.startedAt).sort();
  const time = (starts[0] ?? "").replace(/[-:]/g, "").replace(/\.\d+/, "");
  const ids = [...new Set(blobs.map(({ head }) => head.run.id))].sort();
  return `${time}-${sha256(canonicalJson(ids)).slice("sha256:".length, "sha256:".length + 8)}`;
}

const cellsAtOnce = 500;

/** A merge that was cut short is done again: a cell that is there stays as it is. */
async function importCells(store: Store, runId: string, blobs: readonly Blob[], cwd: string): Promise<void> {
  const [{ head }] = blobs as [Blob, ...Blob[]];
  if ((await store.findRun(runId)) === null)
    await store.createRun({
      id: runId,
      startedAt: blobs.map((blob) => blob.head.run.startedAt).sort()[0] ?? head.run.startedAt,
      toolVersion: head.toolVersion,
      plan: wholePlan(head, cwd),
    });
  else await store.reopenRun(runId);
  let waiting: Promise<void>[] = [];
  for (const { position, cell } of blobCells(blobs)) {
    waiting.push(store.cellEnded(runId, position, cell));
    if (waiting.length < cellsAtOnce) continue;
    store.flush();
    await Promise.all(waiting);
    waiting = [];
  }
  store.flush();
  await Promise.all(waiting);
  await store.finishRun(runId, "interrupted", [], new Date().toISOString());
}

/** Options that only say where something goes on this machine, how a process is contained, or which part is made. */
const notMerged = ["shard", "outputDir", "evalLog", "formats", "csvRows", "python"];

function wholePlan({ plan }: BlobHead, cwd: string): Json {
  const { storedOptions = {} } = plan.options as { storedOptions?: Record<string, Json> };
  const kept = Object.fromEntries(
    Object.entries(storedOptions).filter(([name]) => !notMerged.includes(name)),
  );
  return { ...plan, options: { ...plan.options, storedOptions: kept, cwd } } as Json;
}

function mergedFacts(blobs: readonly Blob[]): MergedFacts {
  const heads = blobs.map(({ head }) => head);
  const [{ run, shard }] = heads as [BlobHead, ...BlobHead[]];
  const missing = missingShards(blobs);
  const isSameMachine = heads.every(
    ({ run: { machine } }) => machine?.fingerprint === run.machine?.fingerprint,
  );
  const canaries = new Map(heads.flatMap((head) => head.canaries as unknown as [string, CanaryFigures][]));
  return {
    containment: run.containment,
    concurrency: run.concurrency,
    // Speed is not comparable where the shards were made on different machines.
    machine: isSameMachine ? run.machine : null,
    canaries,
    warnings: [
      ...(missing.length === 0
        ? []
        : [`shards ${listed(missing.map(String), 10)} of ${shard.count} are missing`]),
      ...new Set(heads.flatMap(({ warnings }) => warnings)),
    ],
  };
}
