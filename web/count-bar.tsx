import type { Counts, Verdict } from "../src/contract/verdict.ts";
import { grouped } from "./grouped.ts";
import { StatusMark } from "./status-mark.tsx";
import { statusOrder } from "./status-order.ts";

const order: readonly Verdict[] = ["pass", ...statusOrder.filter((status) => status !== "pass")];

/** How the cells of a skill ended: a bar in parts, and the same in numbers. */
export function CountBar({ counts }: { counts: Counts }) {
  const all = counts.total + counts.invalid;
  const parts = order.filter((status) => counts[status] > 0);
  let before = 0;
  return (
    <div class="counts">
      <svg class="count-bar" aria-hidden="true" focusable="false">
        {parts.map((status) => {
          const x = before;
          before += counts[status] / all;
          return (
            <rect
              key={status}
              class={`part part-${status}`}
              x={`${x * 100}%`}
              width={`${(counts[status] / all) * 100}%`}
              height="100%"
            />
          );
        })}
      </svg>
      <span class="count-words">
        {parts.map((status) => (
          <span key={status} class={`count-word status-${status}`} title={status}>
            <StatusMark status={status} size={12} /> {grouped(counts[status])}
            <span class="unseen"> {status}</span>
          </span>
        ))}
      </span>
    </div>
  );
}
