import { caseSections } from "../../cases/case-sections.ts";
import { caseColumns, caseView, explainCase, knownDetails, markFailures } from "../../cases/case-view.ts";
import { modelFacts } from "../../cases/model-facts.ts";
import type { SubjectReport } from "../../contract/document.ts";
import { levelSettings } from "../../contract/level-settings.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Block, Column, Fact, LevelView, Scalar, Unit } from "../../contract/view.ts";
import { counted, grouped } from "../../report/text/format-numbers.ts";
import { metricFact } from "../../report/view/metric-fact.ts";

/** How runs of agents and pure functions are shown. */
export const agentView: LevelView = {
  ...caseView,
  // Functions of our own run without any.
  subjectName: ({ model }) => (model === "none" ? "no model" : null),
  headline: (subject) => [
    metricFact(subject, "passRate", "Pass rate"),
    metricFact(subject, "precision", "Trigger precision"),
    metricFact(subject, "recall", "Trigger recall"),
    metricFact(subject, "firstPassJson", "Valid JSON on first attempt"),
    metricFact(subject, "latencyP95Ms", "P95 latency", "ms"),
  ],
  columns: columns(),
  explain: (cell) => explainCase(cell, caseTimeline(cell), selectionFacts(cell)),
  subjectBlocks: figureBlocks,
  sections: (report, cells) => caseSections("agent", report, cells),
  runFacts: ({ run }) => [
    { label: "Run directories", value: String(levelSettings(run, "agent").runsDir ?? "") },
  ],
};

function columns(): Column[] {
  const own = caseColumns([
    ...(["trigger", "sequence", "disclosure", "security", "budget", "output", "streaming"] as const),
    ...(["unit", "rubric"] as const),
  ]);
  const hidden = (id: string, label: string, value: (cell: CellResult) => Scalar, unit?: Unit): Column => ({
    ...{ id, label, value, isHidden: true },
    ...(unit !== undefined && { unit }),
  });
  return [
    ...own,
    hidden("selected", "Selected", (cell) => knownDetails(cell).scores.trigger.selected.join("; ")),
    hidden("precision", "Precision", (cell) => knownDetails(cell).scores.trigger.precision, "score"),
    hidden("recall", "Recall", (cell) => knownDetails(cell).scores.trigger.recall, "score"),
    hidden("scriptRuns", "Scripts", (cell) => knownDetails(cell).stats.scriptRuns, "count"),
    hidden("resourceLoads", "Resources", (cell) => knownDetails(cell).stats.resourceLoads, "count"),
    hidden("degraded", "Fallback answer", (cell) => knownDetails(cell).stats.degraded),
    hidden("isolation", "Isolation", (cell) => knownDetails(cell).stats.isolation),
    hidden("runDir", "Run directory", (cell) => knownDetails(cell).runDir),
  ];
}

function caseTimeline(cell: CellResult) {
  return markFailures(cell, knownDetails(cell).timeline ?? []);
}

/** Which skills a model selected; a pure function selects none. */
function selectionFacts(cell: CellResult): Fact[] {
  const { caseClass, scores } = knownDetails(cell);
  const { selected, rejected, precision, recall } = scores.trigger;
  if (caseClass === "L0") return [];
  return [
    { label: "Skills selected", value: selected.length === 0 ? "none" : selected.join(", ") },
    ...(rejected.length === 0 ? [] : [{ label: "Skills refused", value: rejected.join(", ") }]),
    ...(precision === null ? [] : [{ label: "Precision", value: precision, unit: "score" } as const]),
    ...(recall === null ? [] : [{ label: "Recall", value: recall, unit: "score" } as const]),
  ];
}

const ratios = [
  ["triggerPrecision", "Trigger precision", "selected skill"],
  ["triggerRecall", "Trigger recall", "expected skill"],
  ["firstPassJson", "Valid JSON on first attempt", "turn"],
  ["extractedRate", "JSON extracted from text", "turn"],
  ["finalJson", "Valid JSON in the end", "turn"],
] as const;

/** The figures of a real model with their counts; a script has none. What was not measured is left out. */
function figureBlocks(subject: SubjectReport): Block[] {
  const facts = [
    ...ratios.flatMap(([name, label, noun]): Fact[] => {
      const { value = null, n = null, interval = null } = subject.metrics[name] ?? {};
      if (value === null || n === null) return [];
      const note = `${grouped(Math.round(value * n))} of ${counted(n, noun)}`;
      return [{ label, value, unit: "share", interval, note }];
    }),
    ...modelFacts(subject),
  ];
  return facts.length === 0 ? [] : [{ kind: "facts", title: "Figures", facts }];
}
