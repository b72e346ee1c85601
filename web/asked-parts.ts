import type { TaskFacts } from "../src/contract/report.ts";
import { askedValues } from "../src/reporters/asked-values.ts";

/** What a task said, each value with its title, as far as the report keeps it. */
export function askedParts(task: TaskFacts | undefined): { title: string; text: string }[] {
  return askedValues(task).map(({ name, value, isCut }) => {
    const kind = isCut ? "its beginning" : typeof value === "string" ? "text" : "JSON";
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    const title = name === "input" ? "Input" : "Expected";
    return { title: `${title} (${kind})`, text: text === "" ? "(an empty text)" : text };
  });
}
