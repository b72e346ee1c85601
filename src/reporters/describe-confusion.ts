import type { ConfusionSummary } from "../contract/trigger-report.ts";
import { percent } from "./format-numbers.ts";

/** How well requests reached the skills they are meant for: `top-1 13/16 (81.3%), none 0/16 (0.0%), …`. */
export function describeConfusion({ top1, none, offTopic }: ConfusionSummary): string {
  const shares: [string, ConfusionSummary["top1"]][] = [
    ["top-1", top1],
    ["none", none],
    ["false alarms", offTopic],
  ];
  return shares
    .filter(([, { of }]) => of > 0)
    .map(([name, { count, of, rate }]) => `${name} ${count}/${of} (${percent(rate)})`)
    .join(", ");
}
