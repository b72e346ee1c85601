import type { TriggerMetrics, TriggerResult } from "../src/contract/trigger-report.ts";
import { figure } from "../src/reporters/trigger-metric-rows.ts";
import { RatePlot } from "./rate-plot.tsx";
import { Scale } from "./scale.tsx";

const plotted = ["recall", "precision", "specificity"] as const;
const numbers = [
  ["F1", "f1"],
  ["Accuracy", "accuracy"],
  ["Balanced", "balancedAccuracy"],
  ["MCC", "mcc"],
  ["Coverage", "coverage"],
] as const;
/** The figures of a judge beside those it has to beat, rates drawn on one axis. */
export function MetricsTable({ metrics }: { metrics: NonNullable<TriggerResult["metrics"]> }) {
  const { query, judgment, baselines } = metrics;
  const rows: [string, TriggerMetrics | null][] = [
    ["This judge, by query", query],
    ["This judge, by answer", judgment],
    ["Lexical router", baselines.lexical],
    ["Always yes", baselines.alwaysYes],
    ["Always no", baselines.alwaysNo],
  ];
  const hasTies = query.ties + judgment.ties > 0;
  return (
    <div class="scroll">
      <table class="metrics">
        <caption class="unseen">Figures of the judge, and of those it has to beat</caption>
        <thead>
          <tr>
            <th scope="col">Judge</th>
            {plotted.map((name) => (
              <th key={name} scope="col">
                <span class="capital">{name}</span>
                <Scale />
              </th>
            ))}
            {numbers.map(([title]) => (
              <th key={title} scope="col" class="number">
                {title}
              </th>
            ))}
            <th scope="col" class="number">
              TP, FP, TN, FN
            </th>
            {hasTies && (
              <th scope="col" class="number">
                Ties
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(
            ([name, of]) =>
              of !== null && <MetricsRow key={name} name={name} metrics={of} hasTies={hasTies} />,
          )}
        </tbody>
      </table>
    </div>
  );
}

function MetricsRow(props: { name: string; metrics: TriggerMetrics; hasTies: boolean }) {
  const { name, metrics, hasTies } = props;
  const { tp, fp, tn, fn, ties } = metrics;
  return (
    <tr>
      <th scope="row">{name}</th>
      {plotted.map((rate) => (
        <td key={rate} class="ratio">
          <RatePlot rate={metrics[rate]} interval={metrics.intervals[rate]} />
        </td>
      ))}
      {numbers.map(([title, key]) => (
        <td key={title} class={metrics[key] === null ? "number unknown" : "number"}>
          {figure(metrics[key])}
        </td>
      ))}
      <td class="number">{[tp, fp, tn, fn].join(", ")}</td>
      {hasTies && <td class="number">{ties}</td>}
    </tr>
  );
}
