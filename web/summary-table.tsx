import { useState } from "preact/hooks";
import type { GateResult, ReportFile, SkillReportWithCells } from "../src/contract/report.ts";
import {
  compositeScore,
  fraction,
  milliseconds,
  percent,
  percentBounds,
} from "../src/reporters/format-numbers.ts";
import type { CellQuery } from "./choose-cells.ts";
import { CountBar } from "./count-bar.tsx";
import { cellParts } from "./count-parts.ts";
import { Figure } from "./figure.tsx";
import { grouped } from "./grouped.ts";
import { IntervalPlot } from "./interval-plot.tsx";
import { Scale } from "./scale.tsx";
import { skillKey } from "./skill-cell.ts";
import { SortHeader, type SortOrder } from "./sort-header.tsx";
import { type SkillColumn, sortSkills } from "./sort-skills.ts";
import { StrangerText } from "./stranger-text.tsx";

const shownAtFirst = 20;
const oneRun = "needs more than one trial per task";
const noResult = "no valid result";

/** One row per skill: the figures to compare skills by, completion drawn on one axis. */
export function SummaryTable(props: {
  report: ReportFile;
  isPrinting: boolean;
  onChoose: (query: Partial<CellQuery>) => void;
}) {
  const { report, isPrinting, onChoose } = props;
  const [order, setOrder] = useState<SortOrder<SkillColumn>>({ by: "plan", isDescending: false });
  const [isWhole, setWhole] = useState(false);
  const sorted = sortSkills(report.reports, order);
  const shown = isWhole || isPrinting ? sorted : sorted.slice(0, shownAtFirst);
  const header = { order, onOrder: setOrder };
  return (
    <section aria-labelledby="summary-title">
      <h2 id="summary-title">Skills</h2>
      <Legend report={report} />
      <table class="summary">
        <caption class="unseen">Figures of each skill</caption>
        <thead>
          <tr>
            <SortHeader column="skill" {...header}>
              Skill
            </SortHeader>
            <SortHeader column="completion" under={<Scale />} largestFirst {...header}>
              Completion
            </SortHeader>
            <th scope="col">Results</th>
            <SortHeader column="errorRate" class="number" largestFirst {...header}>
              Error rate
            </SortHeader>
            <SortHeader column="p95" class="number" largestFirst {...header}>
              P95 latency
            </SortHeader>
            <SortHeader column="flake" class="number" largestFirst {...header}>
              Flake
            </SortHeader>
            <SortHeader column="consistency" class="number" largestFirst {...header}>
              Consistency
            </SortHeader>
            <SortHeader column="composite" class="number" largestFirst {...header}>
              Composite
            </SortHeader>
          </tr>
        </thead>
        <tbody>
          {shown.map((skill) => (
            <SkillRow key={skillKey(skill)} skill={skill} gate={report.gate} onChoose={onChoose} />
          ))}
        </tbody>
      </table>
      {shown.length < sorted.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {grouped(sorted.length)} skills
        </button>
      )}
    </section>
  );
}

function Legend({ report }: { report: ReportFile }) {
  const { minCompletion, on, enforced } = report.gate;
  return (
    <p class="legend">
      <span>
        <span class="key key-dot" /> completion rate
      </span>
      <span>
        <span class="key key-whisker" /> its 95 % Wilson interval
      </span>
      {enforced && minCompletion > 0 && (
        <span>
          <span class="key key-gate" /> gate at {percent(minCompletion)}
          {on === "lower" ? ", asked of the lower bound" : ""}
        </span>
      )}
    </p>
  );
}

function SkillRow(props: {
  skill: SkillReportWithCells;
  gate: GateResult;
  onChoose: (query: Partial<CellQuery>) => void;
}) {
  const { skill, gate, onChoose } = props;
  const { skillId, summary, latency, counts } = skill;
  const interval = summary.intervals.completionRate;
  const missing = counts.total === 0 ? noResult : oneRun;
  return (
    <tr>
      <th scope="row" class="name">
        <button type="button" class="link" title="Show its results" onClick={() => onChoose({ skill })}>
          <StrangerText text={skillId} limit={160} />
        </button>
        <span class="under">
          <Rank skill={skill} />
          <StrangerText text={skill.benchmarkId} limit={80} />
        </span>
      </th>
      <td class="completion" data-label="Completion">
        {summary.completionRate === null ? (
          <span class="unknown">– no verdict: every result is invalid</span>
        ) : (
          <>
            <IntervalPlot
              rate={summary.completionRate}
              interval={interval}
              gate={gate.enforced ? gate.minCompletion : 0}
              isBelow={gate.enforced && gate.below.includes(skillId)}
            />
            <span class="rate">
              <strong>{percent(summary.completionRate)}</strong>{" "}
              <span class="bounds">{percentBounds(interval)}</span>
            </span>
          </>
        )}
      </td>
      <td data-label="Results">
        <CountBar parts={cellParts(counts)} />
      </td>
      <Figure label="Error rate" text={percent(summary.errorRate)} why={noResult} />
      <Figure label="P95 latency" text={milliseconds(latency.p95Ms)} why={noResult} />
      <Figure label="Flake" text={percent(summary.flakeRate)} why={missing} />
      <Figure label="Consistency" text={fraction(summary.consistencyScore)} why={missing} />
      <Figure label="Composite" text={compositeScore(summary.compositeScore)} why={noResult} />
    </tr>
  );
}

function Rank({ skill: { selected, rank } }: { skill: SkillReportWithCells }) {
  if (selected === undefined) return null;
  if (!selected) return <span class="badge">not selected</span>;
  return (
    <span class="badge badge-strong">
      {rank === null || rank === undefined ? "selected" : `rank ${rank}`}
    </span>
  );
}
