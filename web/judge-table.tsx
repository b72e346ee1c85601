import type { JudgeFigures } from "../src/contract/report.ts";
import { fraction, milliseconds, percent, usd } from "../src/reporters/format-numbers.ts";
import { judgeNote } from "../src/reporters/judge-note.ts";
import { Figure } from "./figure.tsx";
import { grouped } from "./grouped.ts";
import { StrangerText } from "./stranger-text.tsx";

const titles = ["Results", "No verdict", "Calls", "Time", "Tokens", "Cost", "Drift", "Attacks that worked"];

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
            {titles.map((title) => (
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
      <p class="note">{judgeNote}</p>
    </section>
  );
}

function JudgeRow({ judge }: { judge: JudgeFigures }) {
  const { promptTokens, completionTokens, costUsd, canaries } = judge;
  const tokens =
    promptTokens === null || completionTokens === null ? "–" : grouped(promptTokens + completionTokens);
  const unasked = canaries === null ? "no canaries were put" : "not answered";
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
      <Figure label="Cost" text={usd(costUsd)} why="no price is known" />
      <Figure label="Drift" text={fraction(canaries?.drift ?? null)} why={unasked} />
      <Figure label="Attacks that worked" text={percent(canaries?.flipRate ?? null)} why={unasked} />
    </tr>
  );
}
