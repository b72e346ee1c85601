import { countOf } from "../src/base/count-of.ts";
import type { PlanGate, PlanReport, PlanTable } from "../src/contract/planbench-report.ts";
import type { StratumOverview } from "../src/reporters/planbench/plan-overview.ts";
import { stratumWords } from "../src/reporters/planbench/sample-words.ts";
import { hasRepairs, tableFacts } from "../src/reporters/planbench/table-facts.ts";
import { BucketChart } from "./bucket-chart.tsx";
import { RatePlot } from "./rate-plot.tsx";
import { ReasonTable } from "./reason-table.tsx";
import { StrangerText } from "./stranger-text.tsx";

/** The figures of one stratum: its rates with their intervals, its repairs drawn, and why samples are not ok. */
export function StratumSection(props: {
  table: PlanTable;
  overview: StratumOverview | undefined;
  report: PlanReport;
  onChoose: (reason: string) => void;
}) {
  const { table, overview, report, onChoose } = props;
  const { route } = table;
  const { samples } = report.run;
  const cases = Math.round(table.planned / Math.max(1, samples));
  const facts = tableFacts(table, overview?.claimed ?? { ok: 0, wrong: 0 });
  const isFixed = route === "fixed";
  const gateOf = (gate: PlanGate["gate"]) =>
    report.gate.checks.find((check) => check.gate === gate && check.route === route);
  const titleId = `stratum-${route}`;
  return (
    <section aria-labelledby={titleId} class="stratum">
      <h2 id={titleId}>{`${route.charAt(0).toUpperCase()}${route.slice(1)} cases`}</h2>
      <p class="legend">
        {countOf(cases, "case")}
        {samples > 1 && ` × ${countOf(samples, "sample")}`}; {stratumWords(route, report)}
      </p>
      <div class="stratum-body">
        <div class="stratum-figures">
          {!isFixed && (
            <>
              <Rate
                title="Ok at first"
                rate={table.ok0Rate}
                interval={table.intervals.ok0Rate}
                gate={gateOf("min_ok0")}
              />
              <Rate
                title="Ok in the end"
                rate={table.successRate}
                interval={table.intervals.successRate}
                gate={gateOf("min_success")}
              />
            </>
          )}
          <dl class="facts">
            {facts
              .filter(({ name }) => isFixed || !name.startsWith("ok "))
              .map(({ name, value, of }) => (
                <div key={name}>
                  <dt>{`${name.charAt(0).toUpperCase()}${name.slice(1)}`}</dt>
                  <dd>
                    <StrangerText text={value} /> <span class="under">{of}</span>
                  </dd>
                </div>
              ))}
          </dl>
        </div>
        {hasRepairs(table) && <BucketChart table={table} />}
      </div>
      {overview !== undefined && <ReasonTable overview={overview} onChoose={onChoose} />}
    </section>
  );
}

function Rate(props: {
  title: string;
  rate: number | null;
  interval: { lower: number; upper: number } | null;
  gate: PlanGate | undefined;
}) {
  const { title, rate, interval, gate } = props;
  return (
    <div class="stratum-rate">
      <h3>{title}</h3>
      <RatePlot rate={rate} interval={interval} line={gate?.asked ?? 0} isBelow={gate?.passed === false} />
    </div>
  );
}
