import { shorten } from "../base/visible-text.ts";
import type { TaskFacts } from "../contract/report.ts";
import type { TaskResult } from "../contract/task-result.ts";
import { describeAsked } from "./asked-values.ts";
import { describeOutcome, describeOutput } from "./describe-outcome.ts";
import { escapeXmlLines } from "./junit-escape.ts";
import { xmlTag } from "./junit-tag.ts";
import { junitElementOf } from "./junit-tally.ts";
import { shortenMiddle } from "./shorten-middle.ts";

const messageLimit = 300;
const bodyLimit = 8_000;
const outputLimit = 2_000;
const askedLimit = 500;

/** One cell as a test case of JUnit. */
export function junitCase(
  cell: TaskResult,
  { className, hasTrials, task }: { className: string; hasTrials: boolean; task: TaskFacts | undefined },
): string {
  const attributes = {
    name: hasTrials ? `${cell.taskId} #${cell.trial}` : cell.taskId,
    classname: className,
    time: (cell.latencyMs / 1000).toFixed(3),
  };
  const element = junitElementOf[cell.status];
  if (element === null) return `    ${xmlTag("testcase", attributes, "empty")}\n`;
  const message = shortenMiddle(describeOutcome(cell), messageLimit);
  const open = `    ${xmlTag("testcase", attributes)}\n      `;
  const told =
    element === "skipped"
      ? xmlTag("skipped", { message }, "empty")
      : `${xmlTag(element, { message, type: cell.error?.code ?? cell.status })}${body(cell, task)}</${element}>`;
  return `${open}${told}${chatter(cell)}\n    </testcase>\n`;
}

/** Everything that helps to find the fault without opening another file. */
function body(cell: TaskResult, task: TaskFacts | undefined): string {
  const output = describeOutput(cell, outputLimit);
  const attempts = cell.attempts.length < 2 ? [] : cell.attempts.map(attemptLine);
  const asked = describeAsked(task, askedLimit);
  const parts = [describeOutcome(cell), ...attempts, ...asked, output === "" ? "" : `output: ${output}`];
  return escapeXmlLines(shortenMiddle(parts.filter((part) => part !== "").join("\n"), bodyLimit));
}

function attemptLine({ n, status, code, latencyMs, message }: TaskResult["attempts"][number]): string {
  const why = [code, message].filter((word) => word !== null).join(": ");
  return `attempt ${n}: ${status} after ${Math.round(latencyMs)} ms${why === "" ? "" : `, ${shorten(why, messageLimit)}`}`;
}

function chatter({ stderrTail }: TaskResult): string {
  if (stderrTail === undefined || stderrTail === "") return "";
  return `\n      <system-err>${escapeXmlLines(shortenMiddle(stderrTail.trimEnd(), bodyLimit))}</system-err>`;
}
