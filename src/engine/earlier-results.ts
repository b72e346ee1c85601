import { type Cell, type PlannedCase, subjectName } from "../contract/cell.ts";
import type { Containment } from "../contract/containment.ts";
import type { SuiteRun } from "../contract/level.ts";
import { type CellResult, parseCell } from "../contract/result.ts";
import type { Store, StoredRun } from "../contract/store.ts";
import { EventLoopTurns } from "../shared/async/event-loop-turns.ts";
import { pluralize } from "../shared/text/phrases.ts";
import { withoutCases } from "./narrow-suite.ts";
import { planCommand, rescoredRun } from "./stored-plan.ts";
import { storedResults } from "./stored-results.ts";

/** Which verdicts of earlier runs are taken over: of cells that nothing outside of them decides, of all, or those that somebody chose. */
export type Reuse = "closed" | "all" | readonly ChosenRun[];

/** A run whose verdicts go to another that takes its place, those of the cells that are accepted. */
export interface ChosenRun {
  runId: string;
  accepts(cell: Cell, suite: SuiteRun): boolean;
}

/** The suites without the cases that passed in every trial of the last run of this command; all of it where nothing failed then. */
export async function failedOnly(
  suites: readonly SuiteRun[],
  runId: string,
  store: Store,
): Promise<{ suites: readonly SuiteRun[]; warning: string | null }> {
  const last = await findLast(store, runId);
  if (last === null) return { suites, warning: "there is no earlier run: --failed runs everything" };
  const found: { suite: SuiteRun; passed: ReadonlySet<string>; all: number }[] = [];
  for (const suite of suites) found.push({ suite, ...(await passedCases(store, last.id, suite)) });
  const sum = (count: (one: (typeof found)[number]) => number) =>
    found.reduce((total, one) => total + count(one), 0);
  const [all, left] = [sum((one) => one.all), sum((one) => one.all - one.passed.size)];
  if (left === 0) return { suites, warning: `everything passed in run ${last.id}: --failed runs everything` };
  if (left === all) return { suites, warning: null };
  const narrowed = found.flatMap(
    ({ suite, passed }) => withoutCases(suite, (subject, one) => passed.has(caseName(subject, one))) ?? [],
  );
  const rest = `--failed: ${left} of ${pluralize(all, "case")} ${left === 1 ? "runs" : "run"}`;
  return { suites: narrowed, warning: `${rest}, the others passed in run ${last.id}` };
}

async function findLast(store: Store, runId: string): Promise<StoredRun | null> {
  const own = await store.findRun(runId);
  const command = own === null ? null : planCommand(own);
  for await (const page of store.earlierRuns(runId))
    for (const run of page) if (planCommand(run) === command && rescoredRun(run) === null) return run;
  return null;
}

/** How many cases a suite has, and which of them passed in as many trials as are planned now: a run that was cut short has seen some of a case. */
async function passedCases(
  store: Store,
  runId: string,
  suite: SuiteRun,
): Promise<{ passed: ReadonlySet<string>; all: number }> {
  const open = new Map<string, number>();
  for (const { subject, case: one } of suite.cells) {
    const name = caseName(subject, one);
    open.set(name, (open.get(name) ?? 0) + 1);
  }
  const failed = new Set<string>();
  const all = open.size;
  for await (const page of storedResults(store, runId, suite))
    for (const result of page) {
      const name = caseName(result, { id: result.caseId, digest: result.caseDigest });
      if (result.status === "pass") open.set(name, (open.get(name) ?? 0) - 1);
      else failed.add(name);
    }
  const passed = [...open].filter(([name, trials]) => trials <= 0 && !failed.has(name));
  return { passed: new Set(passed.map(([name]) => name)), all };
}

/** A case that was edited is another one. */
function caseName(
  subject: Parameters<typeof subjectName>[0],
  { id, digest }: Pick<PlannedCase, "id" | "digest">,
): string {
  return JSON.stringify([subjectName(subject), id, digest]);
}

/** So many runs are looked through, from the newest: each holds what it took over itself. */
const maxRunsRead = 20;

/** Copies verdicts of earlier runs into this one, for cells with the same key: the same skill, case, scorer, model and options. */
export async function reuseVerdicts(
  suites: readonly SuiteRun[],
  { runId, reuse, containment }: { runId: string; reuse: Reuse; containment: Containment },
  store: Store,
): Promise<number> {
  const turns = new EventLoopTurns();
  const open = new Map<string, { cell: Cell; suite: SuiteRun }>();
  for (const suite of suites)
    for (const cell of suite.cells) {
      if (turns.isDue()) await turns.take();
      if (reuse !== "closed" || isClosedCell(suite, cell)) open.set(cell.key, { cell, suite });
    }
  const wanted = open.size;
  if (typeof reuse !== "string") {
    for (const { runId: earlier, ...chosen } of reuse)
      await copyFrom(earlier, { runId, reuse, containment, open, ...chosen }, store);
    return wanted - open.size;
  }
  let runs = 0;
  for await (const page of store.earlierRuns(runId))
    for (const { id } of page) {
      if (open.size === 0 || runs++ === maxRunsRead) return wanted - open.size;
      await copyFrom(id, { runId, reuse, containment, open }, store);
    }
  return wanted - open.size;
}

interface Copying {
  runId: string;
  reuse: Reuse;
  containment: Containment;
  /** Cells without a verdict so far, by key. */
  open: Map<string, { cell: Cell; suite: SuiteRun }>;
  accepts?: ChosenRun["accepts"];
}

async function copyFrom(
  earlier: string,
  { runId, reuse, containment, open, accepts }: Copying,
  store: Store,
): Promise<void> {
  if (open.size === 0) return;
  const writes: Promise<void>[] = [];
  for await (const keys of store.verdictKeys(earlier))
    for (const key of keys) {
      const found = open.get(key);
      if (found === undefined || accepts?.(found.cell, found.suite) === false) continue;
      const text = await store.result(earlier, key);
      if (text === null) continue;
      const result = parseCell(text);
      const isClosed = isClosedResult(result) && isClosedCell(found.suite, found.cell);
      if (reuse === "closed" && !isClosed) continue;
      if (!isContainedAlike(result, containment)) continue;
      open.delete(key);
      const from = {
        reusedFrom: result.reusedFrom ?? earlier,
        ...(!isClosed && { isReusedOpen: true as const }),
      };
      const copy = accepts === undefined ? { ...result, ...from } : result;
      writes.push(store.cellEnded(runId, found.cell.position, copy));
    }
  store.flush();
  await Promise.all(writes);
}

/** Models that answer from a script. */
const scripted: readonly (string | null)[] = [null, "mock", "none"];

function isClosedCell(suite: SuiteRun, cell: Cell): boolean {
  return suite.isClosed?.(cell) ?? (scripted.includes(cell.subject.model) || suite.replaysModels === true);
}

/** Whether nothing took part that may answer otherwise next time. What was tried again was not steady. */
function isClosedResult({ judge, network = [], attempts }: CellResult): boolean {
  return judge === null && network.length === 0 && attempts.length <= 1;
}

/** A verdict under weaker containment is none under a stronger one, and one with a network none without it. */
function isContainedAlike({ containment: stamp }: CellResult, { level, network }: Containment): boolean {
  if (stamp === null) return true;
  return stamp.level === level && (stamp.network === "none" || isSameNetwork(stamp.network, network));
}

function isSameNetwork(one: Containment["network"], other: Containment["network"]): boolean {
  return [one].flat().join(" ") === [other].flat().join(" ");
}
