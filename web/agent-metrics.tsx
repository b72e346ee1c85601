import type { MetricFact } from "../src/reporters/agent/metric-facts.ts";

export interface AgentMetricsSectionProps {
  id: string;
  title: string;
  /** What the figures are over. */
  over: string;
  facts: readonly MetricFact[];
}

/** Figures over many cells. */
export function AgentMetricsSection({ id, title, over, facts }: AgentMetricsSectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="legend">{over}</p>
      <table class="agent-metrics">
        <caption class="unseen">{over}</caption>
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
          {facts.map(({ name, value, of }) => (
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
