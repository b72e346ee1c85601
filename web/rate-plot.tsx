import { percent } from "../src/reporters/format-numbers.ts";
import { IntervalPlot } from "./interval-plot.tsx";

/** A rate drawn with its interval and the line it was held against, and the same in numbers; `undefined` where nothing was divided. */
export function RatePlot(props: {
  rate: number | null;
  interval: { lower: number; upper: number } | null;
  /** The line that is drawn; 0 for none. */
  line?: number;
  isBelow?: boolean;
}) {
  const { rate, interval, line = 0, isBelow = false } = props;
  if (rate === null)
    return (
      <span class="unknown" title="there was nothing to divide by">
        undefined
      </span>
    );
  return (
    <>
      <IntervalPlot rate={rate} interval={interval} gate={line} isBelow={isBelow} />
      <span class="rate">
        <strong>{percent(rate)}</strong>{" "}
        {interval !== null && (
          <span class="bounds">
            {(interval.lower * 100).toFixed(1)}–{(interval.upper * 100).toFixed(1)}
          </span>
        )}
      </span>
    </>
  );
}
