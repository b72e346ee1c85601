import { caseSections } from "../../cases/case-sections.ts";
import { caseColumns, caseView, explainCase, knownDetails } from "../../cases/case-view.ts";
import { modelFacts } from "../../cases/model-facts.ts";
import { recordIn } from "../../contract/agent-details.ts";
import type { SubjectReport } from "../../contract/document.ts";
import type { Rendered } from "../../contract/format.ts";
import { levelSettings } from "../../contract/level-settings.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Block, Column, Fact, LevelView, Section } from "../../contract/view.ts";
import { counted, grouped } from "../../report/text/format-numbers.ts";
import { conversationTimeline } from "../../report/timeline/conversation-timeline.ts";
import { metricFact } from "../../report/view/metric-fact.ts";

/** How conversations are shown. */
export const conversationView: LevelView = {
  ...caseView,
  headline: (subject) => [
    metricFact(subject, "passRate", "Pass rate"),
    ...(["hit", "protocol", "calls"] as const).map((name) => {
      const { note: _, ...fact } = rateFact(subject, name);
      return fact;
    }),
    metricFact(subject, "latencyP95Ms", "P95 latency", "ms"),
  ],
  columns: columns(),
  explain(cell, one) {
    const record = recordIn(cell);
    const request = typeof one?.input === "string" ? one.input : null;
    return explainCase(
      cell,
      record === null ? [] : conversationTimeline(record, request),
      conversationFacts(cell),
    );
  },
  subjectBlocks: figureBlocks,
  sections: (report, cells) => [...mixedSkills(report), ...caseSections("conversation", report, cells)],
};

interface Rate {
  value: number | null;
  numerator: number;
  denominator: number;
  interval: Fact["interval"];
}

const rateLabels = {
  hit: "Right skills selected",
  protocol: "Valid calls on first attempt",
  protocolAfterCorrection: "Valid calls in the end",
  calls: "Expected calls made",
  continuation: "Result used in the answer",
  output: "Output as expected",
} as const;

function rateFact({ details }: SubjectReport, name: keyof typeof rateLabels): Fact {
  const rates = details.conversations as unknown as Partial<Record<string, Rate>> | undefined;
  const { value = null, interval = null, numerator = 0, denominator = 0 } = rates?.[name] ?? {};
  return {
    label: rateLabels[name],
    value,
    unit: "share",
    interval,
    ...(denominator > 0 && { note: `${grouped(numerator)} of ${counted(denominator, "conversation")}` }),
  };
}

/** Each dimension by itself. What was not observed is in no figure. */
function figureBlocks(subject: SubjectReport): Block[] {
  const facts = [
    ...(Object.keys(rateLabels) as (keyof typeof rateLabels)[])
      .map((name) => rateFact(subject, name))
      .filter(({ value }) => value !== null),
    ...modelFacts(subject),
  ];
  return facts.length === 0 ? [] : [{ kind: "facts", title: "Figures", facts }];
}

function columns(): Column[] {
  return [
    ...caseColumns(["hit", "protocol", "calls", "continuation", "output"]),
    {
      id: "selected",
      label: "Skills",
      isHidden: true,
      value: (cell) =>
        recordIn(cell)
          ?.selected.map(({ id }) => id)
          .join("; ") ?? null,
    },
    { id: "host", label: "Host", isFilter: true, value: (cell) => recordIn(cell)?.host ?? null },
    { id: "end", label: "End", isHidden: true, value: (cell) => recordIn(cell)?.end ?? null },
  ];
}

function conversationFacts(cell: CellResult): Fact[] {
  const { protocolAfterCorrection } = knownDetails(cell);
  const record = recordIn(cell);
  if (record === null) return [];
  const { selected, tools, unused_turns } = record;
  return [
    { label: "Skills", value: selected.map(({ id }) => id).join(", ") || "none" },
    { label: "Tools offered", value: tools.length, unit: "count" },
    ...(protocolAfterCorrection == null
      ? []
      : [{ label: "Valid calls in the end", value: protocolAfterCorrection }]),
    ...(unused_turns === null || unused_turns === 0
      ? []
      : [{ label: "Scripted replies not used", value: unused_turns, unit: "count", tone: "warn" } as const]),
  ];
}

/** Skills that were edited during the run: its figures belong to no single version. */
function mixedSkills({ run }: Rendered): Section[] {
  const { mixedSkillVersion } = levelSettings(run, "agent");
  if (!Array.isArray(mixedSkillVersion) || mixedSkillVersion.length === 0) return [];
  return [
    {
      title: "Skills edited during the run",
      note: "The figures belong to no single version, and no gate passes. Run again.",
      blocks: [{ kind: "text", text: mixedSkillVersion.join(", "), tone: "bad" }],
    },
  ];
}
