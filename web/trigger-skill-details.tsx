import type { QueryLine, TriggerReportFile } from "../src/contract/trigger-report.ts";
import { describeJudge } from "../src/reporters/describe-judge.ts";
import { describeSkillGate } from "../src/reporters/describe-trigger-gate.ts";
import { triggerFacts } from "../src/reporters/trigger-facts.ts";
import { FactList } from "./fact-list.tsx";
import { Fold } from "./fold.tsx";
import { MetricsTable } from "./metrics-table.tsx";
import { PositionPlots } from "./position-plots.tsx";
import { StrangerText } from "./stranger-text.tsx";

type Result = TriggerReportFile["results"][number];

/** What the summary has no room for, per skill: every figure beside its baselines, who judged, what it took. */
export function TriggerSkillDetails(props: { results: readonly Result[]; isPrinting: boolean }) {
  const judged = props.results.filter(({ skipped }) => skipped === null);
  if (judged.length === 0) return null;
  return (
    <section aria-labelledby="details-title">
      <h2 id="details-title">In detail</h2>
      <div class="skills">
        {judged.map((result) => (
          <Fold
            key={result.skillId}
            isOpenAtFirst={judged.length === 1}
            isPrinting={props.isPrinting}
            title={
              <>
                <StrangerText text={result.skillId} limit={160} />{" "}
                <span class="under">
                  <StrangerText text={describeJudge(result.judge, result)} limit={200} />
                </span>
              </>
            }
            body={() => <OneSkill result={result} />}
          />
        ))}
      </div>
    </section>
  );
}

function OneSkill({ result }: { result: Result }) {
  const { metrics, positionBias } = result;
  return (
    <div class="trigger-body">
      {metrics !== null && <MetricsTable metrics={metrics} />}
      <div class="skill-body">
        <FactList facts={skillFacts(result)} />
        {positionBias !== null && <PositionPlots bias={positionBias} />}
      </div>
    </div>
  );
}

function skillFacts(result: Result): [string, string | null][] {
  const { gate, notes, queries } = result;
  return [
    ["Judge", describeJudge(result.judge, result)],
    ["Gate", describeSkillGate(gate)],
    ["Notes", notes.join("; ") || null],
    ...triggerFacts(result, flipping(queries)).map(([name, value]): [string, string] => [
      `${name[0]?.toUpperCase()}${name.slice(1)}`,
      value,
    ]),
    ["Content", result.skillDigest || null],
  ];
}

function flipping(queries: readonly QueryLine[]): number {
  return queries.filter(({ flips }) => flips).length;
}
