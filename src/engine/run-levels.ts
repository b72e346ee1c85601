import type { Subject } from "../contract/cell.ts";
import type { GateReport, SkippedReport, SubjectReport } from "../contract/document.ts";
import type { CanaryFigures } from "../contract/figures.ts";
import type { CellReader, Format, Rendered, RenderOptions, ReportView } from "../contract/format.ts";
import type { Level, SuiteRun } from "../contract/level.ts";
import type { OwnerEntry, QuarantineEntry } from "../contract/quarantine.ts";
import type { Shard } from "../contract/shard.ts";
import { noTelemetry, type Telemetry } from "../contract/telemetry.ts";
import { isTooUnknown } from "../contract/unknown-share.ts";
import type { Budget } from "../models/budget.ts";
import { viewReport } from "../report/view/view-report.ts";
import { isoTime } from "../shared/async/clock.ts";
import { nearPath } from "../shared/files/paths.ts";
import { shardFile, writeBlob } from "./blob.ts";
import {
  type ConfiguredGates,
  configuredGateWarnings,
  maxInvalidOf,
  withConfiguredGates,
} from "./configured-gates.ts";
import type { Reuse } from "./earlier-results.ts";
import { correctGates } from "./family-wise-gates.ts";
import { gateWarnings } from "./gate-warnings.ts";
import { evaluateGates, exitCodeFor, type GateRule } from "./gates.ts";
import type { StopSignal } from "./interrupted.ts";
import { describeMachine } from "./machine.ts";
import { makeDocument } from "./make-document.ts";
import { canaryWarnings } from "./open-judges.ts";
import { narrowSuites, reuseEarlier, stopAfter } from "./part-of-run.ts";
import type { PreparedRun } from "./prepared-run.ts";
import { findOwner, noQuarantine, openQuarantine } from "./quarantine.ts";
import { type CellsContext, runCells } from "./run-cells.ts";
import type { Session } from "./session.ts";
import { costGate } from "./spending.ts";
import { spoolCells } from "./spooled-cells.ts";
import { openSummary } from "./summarize.ts";
import {
  planReportFiles,
  type ReportName,
  removeStaleCopies,
  shownFiles,
  writeReports,
} from "./write-reports.ts";

/** How a run reports, and by which gates it is judged. */
export interface RunOutput {
  command: string;
  /** The prefix of its file names. */
  reportName: ReportName;
  concurrency: number;
  /** Whether the user typed it: a cap that lowers it is then a warning. */
  isConcurrencyTyped?: boolean | undefined;
  outputDir: string;
  store: string;
  /** The line log; null for none. */
  evalLog: string | null;
  /** The rules for these suites; some come from files of the skills. */
  gates(suites: readonly SuiteRun[]): readonly GateRule[];
  /** Those of the configuration, for every level; left out, none. */
  configured?: ConfiguredGates | undefined;
  /** What the run may cost, shared by all its models; null where that is not limited. */
  budget: Budget | null;
  /** Whether gates are only shown. */
  isInformative?: boolean;
  /** The share of every subject that may be without a verdict. */
  maxInvalid: number;
  /** Whether gates on bounds are corrected for the number of subjects. */
  familyWise: boolean;
  /** Whether something was skipped that had to be tested. `skillIds`: the skills that take part. */
  isMissing?(
    skipped: readonly SkippedReport[],
    suites: readonly SuiteRun[],
    skillIds: readonly string[],
  ): boolean;
  /** The part of the run that is made here; it is judged when all parts are merged. */
  shard?: Shard | null | undefined;
  /** Whether only what did not pass in the last run of this command runs. */
  failed?: boolean | undefined;
  /** Which verdicts of earlier runs are taken over; left out, none. */
  reuse?: Reuse | null | undefined;
  /** After so many cells that did not pass no other begins. */
  bail?: number | null | undefined;
  /** Cases that are run and shown and decide nothing. */
  quarantine?: readonly QuarantineEntry[];
  /** Who looks after skills. */
  owners?: readonly OwnerEntry[];
  /** Lets the command change the figures before they are written. */
  conclude?(figures: Concluded): Concluded;
}

export interface Concluded {
  /** At full precision. */
  subjects: SubjectReport[];
  gates: GateReport[];
}

export interface RunLevelsContext extends Omit<CellsContext, "store"> {
  formats: readonly Format[];
  /** Render options the user chose. */
  render?: Partial<RenderOptions> | undefined;
  version: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  telemetry?: Telemetry | undefined;
  /** Above this size the JSON document is written as `ndjson`, since it could not be read back. */
  maxJsonChars?: number | undefined;
}

export type RunEnd =
  | { state: "done"; report: Rendered; cells: CellReader; view: ReportView; suites: readonly SuiteRun[] }
  | { state: "interrupted"; signal: StopSignal };

/** Executes every cell of a run that has no verdict yet, and reports on all of them. Used by every level and command. */
export async function runLevels(
  session: Session<object, PreparedRun>,
  output: RunOutput,
  context: RunLevelsContext,
): Promise<RunEnd> {
  const { ready, store } = session;
  const { clock, random, env, cwd, disk, telemetry = noTelemetry } = context;
  const { concurrency, warning } = allowedConcurrency(output, ready);
  const { redact } = ready;
  const { budget, shard = null, configured } = output;
  const { merged } = session.run;
  const all = ready.suites({ run: session.run, concurrency, redact, clock, random, env, cwd, telemetry });
  const { suites, warning: unnarrowed } = await narrowSuites(all, session, output);
  const run = await reuseEarlier(suites, session, output);
  const rules = shard === null ? withConfiguredGates(output.gates(suites), suites, configured) : [];
  // What a part of a run came to is stored as it is; the merged run knows what is in quarantine.
  const quarantine =
    shard === null ? openQuarantine(output.quarantine ?? [], suites, run.startedAt) : noQuarantine;
  const summary = openSummary(suites, quarantine);
  const stop = stopAfter(output.bail ?? null);
  let canaries: ReadonlyMap<string, CanaryFigures> = merged?.canaries ?? new Map();
  const end = await runCells(
    run,
    {
      suites,
      add(suite, result) {
        summary.add(suite, result);
        if (quarantine.find(suite, result, result.caseId) === null) stop.add(result);
      },
      isEnough: output.bail == null ? undefined : stop.isReached,
      concurrency,
      evalLog: output.evalLog,
      containment: merged?.containment ?? ready.containment,
      budget,
      // The shards of a merged run warned of the same.
      warnings: distinct([
        ...quarantine.warnings,
        ...[warning, unnarrowed].flatMap((one) => one ?? []),
        ...ready.warnings,
        ...configuredGateWarnings(suites, configured),
        ...gateWarnings(rules, suites, quarantine),
        ...(merged?.warnings ?? []),
      ]),
      redact,
      background: async (signal) => {
        canaries = (await ready.askCanaries?.(signal)) ?? canaries;
      },
      abandon: async () => ready.abandon?.(),
    },
    { ...context, store },
  );
  if (end.state === "interrupted") return end;

  const left = (await ready.finish?.()) ?? [];
  const finishedAt = isoTime(clock.now());
  const accepted = (level: Level, subject: Subject) =>
    maxInvalidOf(level, subject, output.maxInvalid, configured);
  const subjects = (await summary.subjects(accepted)).map((subject) => ({
    ...subject,
    ...ownedBy(subject, output.owners),
    details: redact(subject.details),
  }));
  const overall = summary.overall();
  const gates = evaluateGates(rules, { subjects, overall });
  const [first] = suites;
  if (budget !== null && first !== undefined && shard === null)
    gates.push(costGate(budget, first.level.name, output.isInformative !== true));
  const corrected = output.familyWise ? correctGates(gates, subjects) : gates;
  const figures = { subjects, gates: end.isCutShort ? corrected.map(undecided) : corrected };
  const concluded = output.conclude?.(figures) ?? figures;
  const spool = await spoolCells(store, run.id, suites, { disk }, quarantine);
  session.own(spool);
  // A part of a run is no result: it leaves cells to merge, and no report.
  const { formats, warnings: tooLong } =
    shard === null ? await readableFormats(context, spool.chars) : { formats: [], warnings: [] };
  const found = [...canaryWarnings(canaries), ...summary.warnings(), ...redact(left), ...tooLong];
  for (const message of found) end.emit({ type: "warning", message });
  const blob = shard === null ? null : shardFile(output, shard);
  const naming = { outputDir: output.outputDir, namePrefix: output.reportName };
  using files = planReportFiles(formats, naming, finishedAt, disk);
  const report = makeDocument({
    run,
    finishedAt,
    command: output.command,
    concurrency: merged?.concurrency ?? concurrency,
    shard,
    store: output.store,
    version: context.version,
    granted: session.granted,
    machine: merged === undefined ? describeMachine() : merged.machine,
    ready,
    suites,
    ...concluded,
    quarantine: quarantine.entries,
    judges: summary.judges(canaries),
    timesRecorded: summary.timesRecorded(),
    reused: summary.reused(),
    warnings: distinct([...end.warnings, ...found]),
    files: shownFiles(files.files, cwd),
    exitCode: exitCodeFor({
      gates: concluded.gates,
      isUnknown: shard === null && concluded.subjects.some(isTooUnknown),
      missing: end.missing,
      isCutShort: end.isCutShort,
      unacceptable: shard === null ? summary.unacceptable() : 0,
      isMixed: ready.isMixed?.() ?? false,
      isMissing: shard === null && output.isMissing?.(ready.skipped, suites, ready.skillIds) === true,
      notLoaded: ready.notLoaded?.length ?? 0,
    }),
  });
  const view = viewReport(report, spool.read, [...new Set(suites.map(({ level }) => level))], {
    ...context.render,
    fileOf: caseFiles(suites, cwd),
  });
  if (shard !== null && blob !== null)
    await writeBlob(blob, { session, suites, shard, report, canaries }, disk);
  else writeReports(files.files, (format) => format.render(view), disk);
  await removeStaleCopies(files.files, disk);
  // Last: a run whose report could not be written is not done, so `--resume` finds it.
  const recorded = end.missing > 0 ? [] : recordedSubjects(concluded.subjects, suites);
  await store.finishRun(run.id, end.isCutShort ? "interrupted" : "done", recorded, finishedAt);
  end.emit({ type: "run-ended", state: "done" });
  return { state: "done", report, cells: spool.read, view, suites };
}

/** Of a part of the cells nobody can say that a gate is passed. */
function undecided(gate: GateReport): GateReport {
  return gate.passed === true ? { ...gate, passed: null } : gate;
}

function distinct(messages: readonly string[]): string[] {
  return [...new Set(messages)];
}

function ownedBy(subject: SubjectReport, owners: readonly OwnerEntry[] = []): Pick<SubjectReport, "owner"> {
  const owner = findOwner(owners, subject);
  return owner === null ? {} : { owner };
}

/** How many cells run at once: no more than the models they all ask may be called. */
function allowedConcurrency(
  { concurrency, isConcurrencyTyped = false }: RunOutput,
  { callCap }: Pick<PreparedRun, "callCap">,
): { concurrency: number; warning: string | null } {
  if (callCap == null || callCap.limit >= concurrency) return { concurrency, warning: null };
  const { limit, key } = callCap;
  const warning = `--concurrency ${concurrency} is lowered to ${limit} by ${key} of the configuration`;
  return { concurrency: limit, warning: isConcurrencyTyped ? warning : null };
}

/** The file each case is defined in, as a reader in this folder would name it. */
function caseFiles(suites: readonly SuiteRun[], cwd: string): NonNullable<RenderOptions["fileOf"]> {
  return ({ level, suite, caseId, ...subject }) => {
    const run = suites.find((one) => one.level.name === level && one.id === suite);
    const file = run?.fileOf?.(subject, caseId);
    return file === undefined ? undefined : nearPath(file, cwd);
  };
}

/** The figures of a run that `history`, `find` and `select` read, without what only a report shows. */
function recordedSubjects(subjects: readonly SubjectReport[], suites: readonly SuiteRun[]): SubjectReport[] {
  return subjects.flatMap((subject) => {
    const suite = suites.find(({ level, id }) => level.name === subject.level && id === subject.suite);
    if (suite === undefined || suite.isPartial || suite.isRecorded?.(subject) === false) return [];
    return [{ ...subject, details: { tokenCost: subject.details.tokenCost ?? null } }];
  });
}

/** A little less than `report convert` and `report diff` can read, with room for what is not cells. */
const defaultMaxJsonChars = 450 * 1024 * 1024;

async function readableFormats(
  { formats, maxJsonChars = defaultMaxJsonChars }: Pick<RunLevelsContext, "formats" | "maxJsonChars">,
  chars: number,
): Promise<{ formats: readonly Format[]; warnings: string[] }> {
  if (chars <= maxJsonChars || formats.every(({ format }) => format !== "json"))
    return { formats, warnings: [] };
  const { ndjsonFormat } = await import("../report/formats/ndjson.ts");
  const others = formats.filter(({ format }) => format !== "json" && format !== "ndjson");
  return {
    formats: [ndjsonFormat, ...others],
    warnings: ["the report is too large for one JSON document and was written as ndjson"],
  };
}
