import type { ReportFile } from "../src/contract/report.ts";
import { isRecorded } from "../src/contract/unrecorded-run.ts";
import { gateReason } from "../src/reporters/describe-gate.ts";
import { milliseconds, percent } from "../src/reporters/format-numbers.ts";
import { runFacts } from "../src/reporters/run-facts.ts";
import { describeTime } from "./describe-time.ts";
import { grouped } from "./grouped.ts";
import { StatusMark } from "./status-mark.tsx";
import { StrangerText } from "./stranger-text.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";
import { verdictOf } from "./verdict-of.ts";

/** What a reader wants to know first: the verdict, what it rests on, and when. */
export function VerdictHeader({ report }: { report: ReportFile }) {
  const { run, passed, total } = report;
  const verdict = verdictOf(report);
  const lasted = Date.parse(run.finishedAt) - Date.parse(run.startedAt);
  return (
    <header class={`verdict verdict-${verdict.mark}`}>
      <div class="eyebrow">
        <span>eval-skills report</span>
        <ThemeToggle />
      </div>
      <h1>
        <StatusMark status={verdict.mark} size={34} />
        {verdict.title}
      </h1>
      <p class="lead">
        <strong>
          {grouped(passed)} of {grouped(total)} passed
        </strong>{" "}
        {total > 0 && `(${percent(passed / total)})`}
      </p>
      {report.gate.enforced && (
        <p class="gate">
          Gate: <StrangerText text={`${gateReason(report)}.`} limit={600} />
        </p>
      )}
      {verdict.why !== undefined && <p class="gate">{verdict.why}</p>}
      {isRecorded(run) && (
        <p class="when">
          <StrangerText text={describeTime(run.startedAt)} />
          {Number.isFinite(lasted) && `, took ${milliseconds(Math.max(0, lasted))}`}
        </p>
      )}
      <dl class="stamps">
        {stamps(report).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <StrangerText text={value} limit={200} />
            </dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

const stamped = [
  "Containment",
  "Not proven",
  "Stronger with",
  "Trials per task",
  "Concurrency",
  "Seed",
  "Tool",
  "Judged by",
];

/** The facts of the run that nobody should have to look for. */
function stamps(report: ReportFile): [string, string][] {
  const facts = runFacts(report);
  return stamped.flatMap((stamp) => facts.filter(([name]) => name === stamp));
}
