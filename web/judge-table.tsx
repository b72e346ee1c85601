import type { JudgeFigures } from "../src/contract/report.ts";
import { fraction, milliseconds, percent } from "../src/reporters/format-numbers.ts";
import { Figure } from "./figure.tsx";
import { grouped } from "./grouped.ts";
import { StrangerText } from "./stranger-text.tsx";

/** How far each model that judged can be trusted, and what it cost. */
export function JudgeTable({ judges }: { judges: readonly JudgeFigures[] }) {
  if (judges.length === 0) return null;
  return (
    <section aria-labelledby="judges-title">
      <h2 id="judges-title">Judges</h2>
      <table class="judges">
        <caption class="unseen">Models that judged</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            {["Results", "No verdict", "Calls", "Time", "Tokens", "Cost", "Drift", "Flipped"].map((title) => (
              <th key={title} scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {judges.map((judge) => (
            <JudgeRow key={judge.model} judge={judge} />
          ))}
        </tbody>
      </table>
      <p class="note">
        Drift: mean distance from the known score on honest test questions. Flipped: share of the attacks that
        turned a failing answer into a passing one.
      </p>
    </section>
  );
}

function JudgeRow({ judge }: { judge: JudgeFigures }) {
  const { promptTokens, completionTokens, costUsd, canaries } = judge;
  const tokens =
    promptTokens === null && completionTokens === null
      ? "–"
      : grouped((promptTokens ?? 0) + (completionTokens ?? 0));
  const unasked = canaries === null ? "no test questions were put" : "not answered";
  return (
    <tr>
      <th scope="row">
        <StrangerText text={judge.model} limit={120} />
      </th>
      <Figure label="Results" text={grouped(judge.cells)} why="" />
      <Figure label="No verdict" text={`${grouped(judge.failed)} (${percent(judge.failureRate)})`} why="" />
      <Figure label="Calls" text={grouped(judge.calls)} why="" />
      <Figure label="Time" text={milliseconds(judge.latencyMs)} why="" />
      <Figure label="Tokens" text={tokens} why="the provider did not say" />
      <Figure
        label="Cost"
        text={costUsd === null ? "–" : `${fraction(costUsd)} USD`}
        why="no price is known"
      />
      <Figure label="Drift" text={fraction(canaries?.drift ?? null)} why={unasked} />
      <Figure label="Flipped" text={percent(canaries?.flipRate ?? null)} why={unasked} />
    </tr>
  );
}
