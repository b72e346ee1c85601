import type { Verdict } from "../../src/contract/result.ts";
import { StatusMark } from "./status-mark.tsx";
import { grouped } from "./values.tsx";

/** A rate as a dot and its interval as whiskers, on an axis from 0 to 100 % that all rows share. */
export function IntervalPlot(props: {
  rate: number;
  interval: { lower: number; upper: number } | null;
  /** The required rate; 0 where there is none. */
  gate: number;
  isBelow: boolean;
}) {
  const { rate, interval, gate, isBelow } = props;
  return (
    <svg class="interval-plot" aria-hidden="true" focusable="false">
      <line class="axis" x1="0%" x2="100%" y1="50%" y2="50%" />
      {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
        <line key={tick} class="tick" x1={at(tick)} x2={at(tick)} y1="30%" y2="70%" />
      ))}
      {gate > 0 && <line class="gate-line" x1={at(gate)} x2={at(gate)} y1="0%" y2="100%" />}
      {interval !== null && (
        <g class="whisker">
          <line x1={at(interval.lower)} x2={at(interval.upper)} y1="50%" y2="50%" />
          <line x1={at(interval.lower)} x2={at(interval.lower)} y1="28%" y2="72%" />
          <line x1={at(interval.upper)} x2={at(interval.upper)} y1="28%" y2="72%" />
        </g>
      )}
      <circle class={isBelow ? "dot dot-below" : "dot"} cx={at(rate)} cy="50%" r="4.5" />
    </svg>
  );
}

function at(share: number): string {
  return `${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`;
}

/** How many ended one way: the mark of that way, and the word for it. */
export interface CountPart {
  mark: Verdict;
  word: string;
  count: number;
}

/** How things ended: a bar in parts, and the same in numbers. */
export function CountBar({ parts }: { parts: readonly CountPart[] }) {
  const all = parts.reduce((sum, { count }) => sum + count, 0);
  const present = parts.filter(({ count }) => count > 0);
  let before = 0;
  return (
    <div class="counts">
      <svg class="count-bar" aria-hidden="true" focusable="false">
        {present.map(({ mark, count }) => {
          const x = before;
          before += count / all;
          return (
            <rect
              key={mark}
              class={`part status-${mark}`}
              x={`${x * 100}%`}
              width={`${(count / all) * 100}%`}
              height="100%"
            />
          );
        })}
      </svg>
      <span class="count-words">
        {present.map(({ mark, word, count }) => (
          <span key={mark} class={`count-word status-${mark}`}>
            <StatusMark status={mark} size={11} /> {grouped(count)}
            <span class="unseen"> {word}</span>
          </span>
        ))}
        {present.length === 0 && <span class="unknown">nothing was tested</span>}
      </span>
    </div>
  );
}
