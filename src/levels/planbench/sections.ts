import type { CellReader, Rendered } from "../../contract/format.ts";
import { levelSettings } from "../../contract/level-settings.ts";
import type { PlanResult, PlanTable } from "../../contract/planbench-report.ts";
import { parseCell } from "../../contract/result.ts";
import type { Block, Fact, Section } from "../../contract/view.ts";
import { counted, grouped } from "../../report/text/format-numbers.ts";
import { listed } from "../../shared/text/phrases.ts";
import { planFailures, planResult } from "./plan-result.ts";

/** A section for routed, forced and fixed cases each: figures, repairs, why samples failed, case by case. */
export function benchSections(report: Rendered, cells: CellReader): Section[] {
  const samples = lookAtSamples(cells);
  return (Object.keys(routes) as PlanTable["route"][]).flatMap((route) => {
    const table = findTable(report, route);
    const seen = samples.get(route);
    if (table === null || seen === undefined) return [];
    return [{ title: routes[route], note: routeNote(table, report), blocks: routeBlocks(table, seen) }];
  });
}

/** In the order they are shown. */
const routes: Readonly<Record<PlanTable["route"], string>> = {
  routed: "Routed cases",
  forced: "Forced cases",
  fixed: "Fixed cases",
};

function findTable({ subjects }: Rendered, route: PlanTable["route"]): PlanTable | null {
  const subject = subjects.find(({ level, arm }) => level === "planbench" && arm === route);
  return (subject?.details.table as unknown as PlanTable | undefined) ?? null;
}

/** What the cases of a route have in common. */
function routeNote({ route, target = null }: PlanTable, { run }: Rendered): string {
  if (route === "fixed")
    return "These bring their outputs along: no model was asked. They test the bench itself and are in no rate.";
  if (target === "sse" || String(levelSettings(run, "planbench").model ?? "").startsWith("sse "))
    return "Target: a service, which selected skills by itself and tidies plans up before they are checked.";
  const words =
    target === "mock" ? "Target: the scripts of the cases. " : target === "model" ? "Target: a model. " : "";
  return words + (route === "routed" ? "The router selected the skills." : "The cases name their skills.");
}

/** What is known after reading every sample of a route. */
interface SeenSamples {
  cases: Map<string, CaseFigures>;
  /** By why they failed. */
  failures: Map<string, Reason>;
  /** By why they have no outcome. */
  errors: Map<string, Reason>;
  /** Outputs that a service called ok, and those among them that are not. */
  claimed: { ok: number; wrong: number };
}

interface CaseFigures {
  host: string | null;
  samples: number;
  okAtFirst: number;
  ok: number;
  fail: number;
  error: number;
  /** Of its ok samples together. */
  repairs: number;
  slowestMs: number | null;
}

interface Reason {
  samples: number;
  cases: Set<string>;
}

/** Reads every sample once and stores only counts and names. */
function lookAtSamples(cells: CellReader): Map<PlanTable["route"], SeenSamples> {
  const found = new Map<PlanTable["route"], SeenSamples>();
  for (const text of cells({ level: "planbench" })) {
    const result = planResult(parseCell(text));
    const seen = found.get(result.route) ?? {
      ...{ cases: new Map(), failures: new Map(), errors: new Map(), claimed: { ok: 0, wrong: 0 } },
    };
    found.set(result.route, seen);
    addSample(seen, result);
  }
  return found;
}

function addSample({ cases, failures, errors, claimed }: SeenSamples, result: PlanResult): void {
  const { caseId, host, outcome, repairs, ms, cause, problem, claimedOk } = result;
  const figures = cases.get(caseId) ?? {
    ...{ host, samples: 0, okAtFirst: 0, ok: 0, fail: 0, error: 0, repairs: 0, slowestMs: null },
  };
  cases.set(caseId, figures);
  figures.samples++;
  figures[outcome]++;
  if (outcome !== "error" && ms !== null) figures.slowestMs = Math.max(figures.slowestMs ?? 0, ms);
  if (outcome === "ok") {
    figures.repairs += repairs ?? 0;
    if ((repairs ?? 0) === 0) figures.okAtFirst++;
  }
  if (claimedOk === true) {
    claimed.ok++;
    if (outcome === "fail") claimed.wrong++;
  }
  if (outcome === "error")
    addReason(errors, [cause, problem].filter(Boolean).join(": ") || "no outcome", caseId);
  else for (const reason of planFailures(result)) addReason(failures, reason, caseId);
}

function addReason(reasons: Map<string, Reason>, reason: string, caseId: string): void {
  const known = reasons.get(reason) ?? { samples: 0, cases: new Set() };
  reasons.set(reason, known);
  known.samples++;
  known.cases.add(caseId);
}

function routeBlocks(table: PlanTable, seen: SeenSamples): Block[] {
  const facts = tableFacts(table, seen.claimed);
  return [
    ...(facts.length === 0 ? [] : [{ kind: "facts", facts } satisfies Block]),
    ...repairBars(table),
    ...reasonTable("Why samples failed", seen.failures),
    ...reasonTable("Samples without an outcome", seen.errors),
    caseTable(seen.cases),
  ];
}

function tableFacts(table: PlanTable, claimed: SeenSamples["claimed"]): Fact[] {
  const { route, n, planned, ok, error, buckets, execRate, hitRate, tokens, intervals } = table;
  const isFixed = route === "fixed";
  const ofSamples = (part: number) => `${grouped(part)} of ${counted(n, "sample")}`;
  const whole = (mean: number | null) => (mean === null ? null : Math.round(mean));
  const rate = (
    label: string,
    value: number | null,
    note: string,
    interval: Fact["interval"] = null,
  ): Fact => ({
    ...{ label, value, unit: "share", note, interval },
  });
  const time = (label: string, value: number | null): Fact => ({ label, value, unit: "ms" });
  // Times without a model mean nothing.
  const ofModel: Fact[] = isFixed
    ? []
    : [
        time("First output, mean", table.firstMs.avg),
        time("First output, P95", table.firstMs.p95),
        time("Whole sample, mean", table.sampleMs.avg),
        time("Whole sample, P95", table.sampleMs.p95),
      ];
  const spent: Fact[] =
    isFixed || tokens.known === 0
      ? []
      : [
          {
            label: "Tokens per sample",
            value: whole(tokens.total),
            unit: "count",
            note: [
              `${grouped(whole(tokens.first) ?? 0)} for the first output, ${grouped(whole(tokens.repairs) ?? 0)} for repairs`,
              ...(tokens.known === n ? [] : [`known of ${counted(tokens.known, "sample")}`]),
            ].join("; "),
          },
        ];
  return [
    rate("OK at first", table.ok0Rate, ofSamples(buckets["0"]), intervals.ok0Rate),
    rate("OK in the end", table.successRate, ofSamples(ok), intervals.successRate),
    ...ofModel,
    ...spent,
    ...(execRate === undefined ? [] : [rate("Executed", execRate, "of the valid outputs handed over")]),
    // A service selects skills by itself, and does not say which.
    ...(hitRate == null ? [] : [rate("Router hit rate", hitRate, "of the cases whose route is known")]),
    ...(claimed.ok === 0 ? [] : [claimFact(claimed)]),
    ...(n === planned
      ? []
      : [
          {
            ...rate("Coverage", table.coverage, `${grouped(error)} without an outcome`),
            tone: "warn" as const,
          },
        ]),
  ];
}

function claimFact({ ok, wrong }: SeenSamples["claimed"]): Fact {
  return {
    label: "Reported ok by the service",
    value: ok,
    unit: "count",
    note: wrong === 0 ? "all of them rightly" : `${grouped(wrong)} of them wrongly`,
    ...(wrong > 0 && { tone: "bad" }),
  };
}

/** Samples by how many repairs they took; nothing where no sample needed any. */
function repairBars({ n, buckets, meanRepairs }: PlanTable): Block[] {
  if (n === 0 || buckets["0"] === n) return [];
  const mean = meanRepairs === null ? "" : ` (${Number(meanRepairs.toFixed(2))} on average)`;
  const bars = (["0", "1", "2", "3", "4", "5"] as const).map((bucket) => ({
    label:
      bucket === "0"
        ? "no repair"
        : bucket === "1"
          ? "1 repair"
          : `${bucket === "5" ? "5 or more" : bucket} repairs`,
    value: buckets[bucket],
    ...(bucket === "0" && { tone: "good" as const }),
  }));
  const last = bars.findLastIndex(({ value }) => value > 0);
  return [
    {
      kind: "bars",
      title: `Samples by repairs${mean}`,
      bars: [
        ...bars.slice(0, last + 1),
        ...(buckets.fail === 0 ? [] : [{ label: "failed", value: buckets.fail, tone: "bad" as const }]),
      ],
    },
  ];
}

const maxNamedCases = 10;

/** The commonest reason first. */
function reasonTable(title: string, reasons: ReadonlyMap<string, Reason>): Block[] {
  if (reasons.size === 0) return [];
  const rows = [...reasons]
    .toSorted(([a, one], [b, other]) => other.samples - one.samples || (a < b ? -1 : 1))
    .map(([reason, { samples, cases }]) => [reason, samples, listed([...cases], maxNamedCases)]);
  return [
    {
      kind: "table",
      title,
      columns: [{ label: "Reason" }, { label: "Samples", unit: "count" }, { label: "Cases" }],
      rows,
    },
  ];
}

function caseTable(cases: ReadonlyMap<string, CaseFigures>): Block {
  const all = [...cases];
  const hasHosts = all.some(([, { host }]) => host !== null);
  const hasErrors = all.some(([, { error }]) => error > 0);
  return {
    kind: "table",
    title: "Case by case",
    columns: [
      { label: "Case" },
      ...(hasHosts ? [{ label: "Host" }] : []),
      { label: "Samples", unit: "count" },
      { label: "OK at first", unit: "count" },
      { label: "OK in the end", unit: "count" },
      { label: "Failed", unit: "count" },
      ...(hasErrors ? [{ label: "No outcome", unit: "count" } as const] : []),
      { label: "Repairs (ok samples)", unit: "count" },
      { label: "Slowest", unit: "ms" },
    ],
    rows: all.map(([caseId, { host, samples, okAtFirst, ok, fail, error, repairs, slowestMs }]) => [
      caseId,
      ...(hasHosts ? [host] : []),
      ...[samples, okAtFirst, ok, fail, ...(hasErrors ? [error] : []), repairs, slowestMs],
    ]),
  };
}
