import type { AgentMetrics } from "../src/contract/agent-report.ts";
import { metricFacts } from "../src/reporters/agent/metric-facts.ts";

/** The figures over the cells of real models. */
export function AgentMetricsSection({ metrics }: { metrics: AgentMetrics }) {
  return (
    <section aria-labelledby="metrics-title">
      <h2 id="metrics-title">Metrics</h2>
      <p class="legend">Over the cells of real models, with skills</p>
      <table class="agent-metrics">
        <caption class="unseen">Figures over the cells of real models</caption>
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col">Value</th>
            <th scope="col" class="under">
              Of
            </th>
          </tr>
        </thead>
        <tbody>
          {metricFacts(metrics).map(({ name, value, of }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              <td class="under">{of}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
