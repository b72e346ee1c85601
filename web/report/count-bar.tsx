import type { Verdict } from "../../src/contract/verdict.ts";
import { grouped } from "./grouped.ts";
import { StatusMark } from "./status-mark.tsx";

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
