import type { CaseReport, Failure } from "../../contract/agent-report.ts";
import type { Block, Fact } from "../../contract/view.ts";
import { formatValue, withLines } from "../../report/view/explain-cell.ts";
import type { Json, JsonObject } from "../../shared/json/json.ts";
import { shortenWords } from "../../shared/text/visible-text.ts";
import { applicableScores, dimensionEnds, lineWords, logLines, scoreWords } from "./case-words.ts";

/** What a reader has seen of a case already. */
export interface KnownOfCase {
  /** How many of the first failures were named with their messages. */
  named: number;
  /** Whether a timeline shows what the log says. */
  hasTimeline: boolean;
}

/** What failed in a run, and how. */
export function failureBlocks(report: CaseReport, known: KnownOfCase): Block[] {
  return report.failures.flatMap((failure, at) =>
    oneFailure(failure, report, at < known.named, known.hasTimeline),
  );
}

/** What was looked at in a run, all of it or only what could not be observed, and what was never put to the test. */
export function checkBlocks(report: CaseReport, which: "all" | "open"): Block[] {
  const { not_exercised } = report;
  return [
    ...scoreBlocks(report, which),
    ...(not_exercised.length === 0
      ? []
      : [
          {
            kind: "text",
            title: "Not exercised: nothing in this run could have failed these checks",
            text: not_exercised.join("\n"),
            tone: "muted",
          } satisfies Block,
        ]),
  ];
}

function oneFailure(
  failure: Failure,
  { quotes }: CaseReport,
  isNamed: boolean,
  hasTimeline: boolean,
): Block[] {
  const where = lineWords(failure);
  const title = `${failure.dimension}: ${failure.code}${where === null ? "" : ` (log ${where})`}`;
  const blocks: Block[] = [
    ...valueBlocks(failure, isNamed ? null : failure.message),
    ...(hasTimeline ? [] : quoteBlocks(failure, quotes)),
  ];
  return blocks.map((block, at) => (at === 0 ? { ...block, title } : block));
}

/** Records with members in common are compared; other values are shown one below the other. */
function valueBlocks({ expected = null, actual = null }: Failure, message: string | null): Block[] {
  const isDiff = areAlike(expected, actual);
  const failureFacts: Fact[] = message === null ? [] : [{ label: "Failure", value: message, tone: "bad" }];
  const values: Fact[] = [
    ...(isDiff || expected === null ? [] : [{ label: "Expected", value: valueText(expected) }]),
    ...(isDiff || actual === null ? [] : [{ label: "Actual", value: valueText(actual) }]),
  ];
  const facts = [...failureFacts, ...values];
  return [
    ...(facts.length === 0 ? [] : [{ kind: "facts", facts } satisfies Block]),
    ...(isDiff ? [{ kind: "diff", expected, actual } satisfies Block] : []),
  ];
}

function areAlike(expected: Json, actual: Json): boolean {
  return (
    isRecord(expected) &&
    isRecord(actual) &&
    Object.keys(expected).some((name) => Object.hasOwn(actual, name))
  );
}

function isRecord(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names are listed; what is neither a text nor a list of them is JSON, on one line where no text in it has several. */
function valueText(value: Json): string {
  // A value that was too long is the beginning of its JSON.
  if (typeof value === "string") return /^[[{].*…$/s.test(value) ? withLines(value) : value;
  if (Array.isArray(value) && value.every((one) => typeof one === "string"))
    return value.length === 0 ? "none" : value.join(", ");
  const lines = formatValue(value);
  return lines === JSON.stringify(value, null, 2) ? JSON.stringify(value) : lines;
}

const maxQuotes = 5;
const quoteLimit = 300;

/** The lines of the log that show a failure, as far as the report quotes them. */
function quoteBlocks(failure: Failure, quotes: CaseReport["quotes"]): Block[] {
  const lines = logLines(failure).flatMap((line) => {
    const text = Object.hasOwn(quotes, String(line)) ? quotes[String(line)] : undefined;
    return text === undefined ? [] : [`${line}  ${shortenWords(briefLine(text), quoteLimit)}`];
  });
  return lines.length === 0 ? [] : [{ kind: "code", code: lines.slice(0, maxQuotes).join("\n") }];
}

// Members that are the same in every line of a log, or shown beside it already.
const envelope = /^\{"v":\d+,"seq":\d+,"ts":"[^"]*","run_id":"[^"]*","turn":(\d+),"type":"([^"]*)","data":/;

/** A line of a log where there is little room: its turn, its type and what it says. */
function briefLine(text: string): string {
  const [head, turn, type] = envelope.exec(text) ?? [];
  if (head === undefined) return text;
  return `turn ${turn} ${type} ${text.slice(head.length).replace(/\}$/, "")}`;
}

function scoreBlocks(report: CaseReport, which: "all" | "open"): Block[] {
  const scores = applicableScores(report).filter(
    ({ score }) => which === "all" || score.checks.some(({ status }) => status === "not_observed"),
  );
  const rows = scores.map(({ name, score }) => {
    const { sign, word } = dimensionEnds[score.status];
    return [name, `${sign} ${word}`, scoreWords(score)];
  });
  if (rows.length === 0) return [];
  return [
    {
      kind: "table",
      title: "Dimensions",
      columns: [{ label: "Dimension" }, { label: "Result" }, { label: "Checks" }],
      rows,
    },
  ];
}

/** What a run took and how it ended; nothing for a pure function. */
export function runFacts({ level, stats, tallies, grader }: CaseReport): Fact[] {
  if (level === "L0") return [];
  const count = (label: string, value: number): Fact[] =>
    value === 0 ? [] : [{ label, value, unit: "count" }];
  return [
    ...count("Turns", stats.turns),
    ...count("Model calls", stats.model_calls),
    ...count("Tool calls", stats.tool_calls),
    ...count("Scripts", stats.script_runs),
    ...count("Resources", stats.resource_loads),
    ...(tallies.tokens === 0 ? [] : count("Input tokens", tallies.input_tokens)),
    ...(tallies.tokens === 0 ? [] : count("Output tokens", tallies.output_tokens)),
    ...(stats.stop_reason === null ? [] : [{ label: "Ended with", value: stats.stop_reason }]),
    ...(stats.degraded === true ? [{ label: "Answer", value: "fallback, not written by the model" }] : []),
    ...(stats.isolation === null ? [] : [{ label: "Isolation", value: stats.isolation }]),
    ...(grader === "" ? [] : [{ label: "Grader", value: grader }]),
  ];
}
