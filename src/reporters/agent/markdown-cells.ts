import { shorten } from "../../base/visible-text.ts";
import type {
  AgentReport,
  AgentResult,
  AgentResultReader,
  CaseReport,
  Failure,
} from "../../contract/agent-report.ts";
import { escapeMarkdown } from "../escape-markdown.ts";
import { shortenMiddle } from "../shorten-middle.ts";
import { type CellKinds, cellKinds, cellName, isFailed, noVerdictWords } from "./cell-words.ts";
import { eventWords, quotedLines } from "./event-words.ts";
import { conversationEnd, conversationHead, transcript } from "./transcript.ts";

const cellsAtMost = 200;
const messageLimit = 1_000;
const valueLimit = 300;

/** The cells that failed, each with its failures and the lines of its log that show them; `most` of them. */
export function* markdownFailedCells(
  report: AgentReport,
  results: AgentResultReader,
  failed: number,
  most: number = cellsAtMost,
): Generator<string> {
  if (failed === 0) return;
  yield "\n## Failed cells\n";
  yield* chosen(results(), { isWanted: isFailed, all: failed, most, section: failedCell(cellKinds(report)) });
}

/** The cells without a verdict, and why they have none. */
export function* markdownInvalidCells(
  report: AgentReport,
  results: AgentResultReader,
  invalid: number,
  most: number = cellsAtMost,
): Generator<string> {
  if (invalid === 0) return;
  const kinds = cellKinds(report);
  yield "\n## Cells without verdict\n\n";
  yield* chosen(results(), {
    isWanted: ({ status }) => status === "invalid",
    all: invalid,
    most,
    *section(result) {
      const why = escapeMarkdown(shortenMiddle(noVerdictWords(result), messageLimit));
      yield `- **${escapeMarkdown(cellName(result, kinds))}**: ${why}${whereWords(result)}\n`;
    },
  });
}

/** The failures of a case as a list, each with the events that show it. */
export function* markdownFailures({
  failures,
  quotes,
}: Pick<CaseReport, "failures" | "quotes">): Generator<string> {
  for (const failure of failures) {
    const events = eventWords(failure);
    yield `- **${failure.dimension} ${escapeMarkdown(failure.code)}**: ${escapeMarkdown(shortenMiddle(failure.message, messageLimit))}\n`;
    yield* valueLines(failure);
    if (events !== null) yield `  - Events: ${escapeMarkdown(events)}\n`;
    for (const { line, text } of quotedLines(failure, quotes))
      yield `  - Line ${line}: ${escapeMarkdown(text)}\n`;
  }
}

function* valueLines({ expected, actual }: Failure): Generator<string> {
  for (const [title, value] of [
    ["Expected", expected],
    ["Actual", actual],
  ] as const) {
    if (value === null || value === undefined) continue;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    yield `  - ${title}: ${escapeMarkdown(shorten(text, valueLimit))}\n`;
  }
}

const failedCell = (kinds: CellKinds) =>
  function* (result: AgentResult): Generator<string> {
    yield `\n### ${escapeMarkdown(cellName(result, kinds))}\n\n`;
    if (result.title !== undefined) yield `${escapeMarkdown(shorten(result.title, valueLimit))}\n\n`;
    yield* markdownFailures(result);
    if (result.run_dir !== null) yield `- Run: ${escapeMarkdown(result.run_dir)}\n`;
    yield* saidIn(result);
  };

/** What was said in a conversation, one item a turn. */
function* saidIn({ conversation }: AgentResult): Generator<string> {
  if (conversation === undefined) return;
  const end = conversationEnd(conversation);
  yield `- Conversation: ${escapeMarkdown(conversationHead(conversation))}\n`;
  for (const { kind, words, result } of transcript(conversation)) {
    yield `  1. **${kind}** ${escapeMarkdown(words)}\n`;
    if (result !== "") yield `     - ${escapeMarkdown(result)}\n`;
  }
  if (end !== null) yield `  - ${escapeMarkdown(end)}\n`;
}

function whereWords({ run_dir }: AgentResult): string {
  return run_dir === null ? "" : ` (${escapeMarkdown(run_dir)})`;
}

/** The first of the wanted results, and how many more there are; reading ends with the last that is told. */
function* chosen(
  results: Iterable<AgentResult>,
  given: {
    isWanted: (result: AgentResult) => boolean;
    all: number;
    most: number;
    section: (result: AgentResult) => Iterable<string>;
  },
): Generator<string> {
  const told = Math.min(given.all, given.most);
  let seen = 0;
  for (const result of results) {
    if (!given.isWanted(result)) continue;
    yield* given.section(result);
    if (++seen === told) break;
  }
  if (given.all > given.most) yield `\n… and ${given.all - given.most} more, see the JSON report\n`;
}
