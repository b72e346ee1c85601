import { useMemo } from "preact/hooks";
import type { SkillReportWithCells } from "../src/contract/report.ts";
import { milliseconds } from "../src/reporters/format-numbers.ts";
import { binLatencies, binPosition, type LatencyBins } from "./latency-bins.ts";

const bins = 40;

/** How latencies are spread: two humps or a long tail are seen here and in no percentile. */
export function LatencyHistogram({ skill }: { skill: SkillReportWithCells }) {
  const spread = useMemo(() => {
    const counted = skill.taskResults.filter(({ status }) => status !== "invalid");
    return binLatencies(
      counted.map(({ latencyMs }) => latencyMs),
      bins,
    );
  }, [skill]);
  if (spread === null) return null;
  const most = Math.max(...spread.counts);
  return (
    <figure class="latency">
      <figcaption>
        Latency of each result <span class="under">logarithmic axis</span>
      </figcaption>
      <svg
        role="img"
        aria-label={`Latencies from ${milliseconds(spread.fromMs)} to ${milliseconds(spread.toMs)}`}
      >
        {spread.counts.map((count, bin) => {
          if (count === 0) return null;
          const height = Math.max(2, (count / most) * 100);
          return (
            <rect
              key={bin}
              x={`${(bin / bins) * 100}%`}
              width={`${(1 / bins) * 100 - 0.4}%`}
              y={`${100 - height}%`}
              height={`${height}%`}
            />
          );
        })}
        <Percentile ms={skill.latency.p50Ms} spread={spread} />
        <Percentile ms={skill.latency.p95Ms} spread={spread} />
      </svg>
      <div class="axis-labels">
        <span>{milliseconds(spread.fromMs)}</span>
        <span class="under">
          lines: P50 {milliseconds(skill.latency.p50Ms)}, P95 {milliseconds(skill.latency.p95Ms)}
        </span>
        <span>{milliseconds(spread.toMs)}</span>
      </div>
    </figure>
  );
}

function Percentile({ ms, spread }: { ms: number | null; spread: LatencyBins }) {
  if (ms === null || ms <= 0) return null;
  const x = `${binPosition(ms, spread) * 100}%`;
  return <line x1={x} x2={x} y1="0%" y2="100%" />;
}
