import { useState } from "preact/hooks";
import { milliseconds, percent, usd } from "../src/reporters/format-numbers.ts";
import { CountBar } from "./count-bar.tsx";
import { queryParts } from "./count-parts.ts";
import { Figure } from "./figure.tsx";
import { grouped } from "./grouped.ts";
import { RatePlot } from "./rate-plot.tsx";
import { Scale } from "./scale.tsx";
import { SortHeader, type SortOrder } from "./sort-header.tsx";
import { sortTriggerRows, type TriggerColumn } from "./sort-trigger-rows.ts";
import { StrangerText } from "./stranger-text.tsx";
import type { TriggerRow } from "./trigger-row.ts";

const shownAtFirst = 20;

/** One row per skill whose queries were judged: how they ended, and the figures to compare skills by. */
export function TriggerSummary(props: {
  rows: readonly TriggerRow[];
  isPrinting: boolean;
  onChoose: (skillId: string) => void;
}) {
  const { rows, isPrinting, onChoose } = props;
  const [order, setOrder] = useState<SortOrder<TriggerColumn>>({ by: "plan", isDescending: false });
  const [isWhole, setWhole] = useState(false);
  const sorted = sortTriggerRows(rows, order);
  const shown = isWhole || isPrinting ? sorted : sorted.slice(0, shownAtFirst);
  const header = { order, onOrder: setOrder };
  const told = toldOf(rows);
  if (rows.length === 0) return null;
  return (
    <>
      <Legend rows={rows} />
      <table class="summary triggers">
        <caption class="unseen">Figures of each skill whose queries were judged</caption>
        <thead>
          <tr>
            <SortHeader column="skill" {...header}>
              Skill
            </SortHeader>
            <SortHeader column="passed" {...header}>
              Queries
            </SortHeader>
            <SortHeader column="recall" under={<Scale />} {...header}>
              Recall
            </SortHeader>
            <SortHeader column="precision" under={<Scale />} {...header}>
              Precision
            </SortHeader>
            <SortHeader column="mcc" class="number" {...header}>
              MCC
            </SortHeader>
            {told.invalidRate && (
              <SortHeader column="invalid" class="number" largestFirst {...header}>
                Invalid
              </SortHeader>
            )}
            {told.usd && (
              <SortHeader column="cost" class="number" largestFirst {...header}>
                Cost
              </SortHeader>
            )}
            {told.p95Ms && (
              <SortHeader column="p95" class="number" largestFirst {...header}>
                P95
              </SortHeader>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <SkillRow key={row.skillId} row={row} told={told} onChoose={onChoose} />
          ))}
        </tbody>
      </table>
      {shown.length < sorted.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {grouped(sorted.length)} skills
        </button>
      )}
    </>
  );
}

type Told = Readonly<Record<"invalidRate" | "usd" | "p95Ms", boolean>>;

/** Which figures the report tells at all; the others get no column. */
function toldOf(rows: readonly TriggerRow[]): Told {
  const isTold = (name: keyof Told) => rows.some((row) => row[name] !== undefined);
  return { invalidRate: isTold("invalidRate"), usd: isTold("usd"), p95Ms: isTold("p95Ms") };
}

function Legend({ rows }: { rows: readonly TriggerRow[] }) {
  const hasIntervals = rows.some(({ recall, precision }) => recall.interval ?? precision.interval);
  const hasLines = rows.some(({ gate }) => gate?.recall !== undefined || gate?.precision !== undefined);
  return (
    <p class="legend">
      <span>
        <span class="key key-dot" /> rate over queries
      </span>
      {hasIntervals && (
        <span>
          <span class="key key-whisker" /> its 95 % Wilson interval
        </span>
      )}
      {hasLines && (
        <span>
          <span class="key key-gate" /> gate
        </span>
      )}
    </p>
  );
}

function SkillRow(props: { row: TriggerRow; told: Told; onChoose: (skillId: string) => void }) {
  const { row, told, onChoose } = props;
  const { skillId, judge, recall, precision, mcc, gate, notes } = row;
  const isBelow = (rate: number | null, line: number | undefined) =>
    gate?.passed === false && rate !== null && line !== undefined && rate < line;
  return (
    <tr>
      <th scope="row" class="name">
        <button type="button" class="link" title="Show its queries" onClick={() => onChoose(skillId)}>
          <StrangerText text={skillId} limit={160} />
        </button>
        <span class="under">
          <StrangerText text={judge.label ?? judge.kind} limit={80} />
        </span>
        {notes.map((note) => (
          <span key={note} class="under note-line">
            <StrangerText text={note} limit={120} />
          </span>
        ))}
      </th>
      <td data-label="Queries">
        <CountBar parts={queryParts(row)} />
      </td>
      <td class="ratio" data-label="Recall">
        <RatePlot {...recall} line={gate?.recall ?? 0} isBelow={isBelow(recall.rate, gate?.recall)} />
      </td>
      <td class="ratio" data-label="Precision">
        <RatePlot
          {...precision}
          line={gate?.precision ?? 0}
          isBelow={isBelow(precision.rate, gate?.precision)}
        />
      </td>
      <td class="number" data-label="MCC">
        {mcc.rate === null ? (
          <span class="unknown">undefined</span>
        ) : (
          <>
            {mcc.rate.toFixed(2)}
            {mcc.interval !== null && (
              <span class="bounds">
                {mcc.interval.lower.toFixed(2)} to {mcc.interval.upper.toFixed(2)}
              </span>
            )}
          </>
        )}
      </td>
      {told.invalidRate && (
        <Figure label="Invalid" text={percent(row.invalidRate ?? null)} why="no reply came" />
      )}
      {told.usd && (
        <Figure
          label="Cost"
          text={usd(row.usd ?? null)}
          why={judge.kind === "router" ? "nobody is paid" : "no price is known"}
        />
      )}
      {told.p95Ms && <Figure label="P95" text={milliseconds(row.p95Ms ?? null)} why="nothing was measured" />}
    </tr>
  );
}
