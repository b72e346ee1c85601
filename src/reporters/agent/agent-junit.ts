import type {
  AgentReport,
  AgentReporter,
  AgentResult,
  AgentResultReader,
} from "../../contract/agent-report.ts";
import { escapeXmlLines } from "../junit-escape.ts";
import { junitCounts, junitProperties, junitSecond } from "../junit-suite.ts";
import { xmlTag } from "../junit-tag.ts";
import { addTallies, type JunitTally, noTally } from "../junit-tally.ts";
import { shortenMiddle } from "../shorten-middle.ts";
import { isolationWords } from "./agent-facts.ts";
import { type CellKinds, cellKinds, cellRest, noVerdictWords } from "./cell-words.ts";
import { eventWords, quotedLines } from "./event-words.ts";

const messageLimit = 300;
const bodyLimit = 8_000;

/** The report on agent runs for CI servers: a test suite per suite, a test case per cell. */
export const agentJunitReporter: AgentReporter = { format: "junit", extension: "xml", render };

/** Cells of one suite that follow each other, and the cases of it that were skipped. */
interface Stretch {
  suite: string;
  tally: JunitTally;
  skipped: string[];
}

function* render(report: AgentReport, results: AgentResultReader): Generator<string> {
  // Counts stand before what they count, so the results pass by twice; none of them is kept.
  const stretches = stretchesOf(report, results);
  const kinds = cellKinds(report);
  const sum = stretches.map(({ tally }) => tally).reduce(addTallies, noTally);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `${xmlTag("testsuites", { name: "eval-skills agent eval", ...junitCounts(sum) })}\n`;
  let at = -1;
  let suite: string | null = null;
  for (const result of results()) {
    if (!isTold(result)) continue;
    if (result.suite !== suite) {
      if (at >= 0) yield* closeSuite(stretches[at]);
      at++;
      suite = result.suite;
      yield* openSuite(stretches[at], report);
    }
    yield testCase(result, kinds);
  }
  if (at >= 0) yield* closeSuite(stretches[at]);
  for (const stretch of stretches.slice(at + 1)) {
    yield* openSuite(stretch, report);
    yield* closeSuite(stretch);
  }
  yield "</testsuites>\n";
}

/** A twin without skills is no test: it is there to compare with. That it has no verdict is worth an error all the same. */
function isTold({ condition, status }: AgentResult): boolean {
  return condition === "with-skills" || status === "invalid";
}

function stretchesOf({ skipped }: AgentReport, results: AgentResultReader): Stretch[] {
  const stretches: Stretch[] = [];
  const lastOf = new Map<string, Stretch>();
  const begin = (suite: string): Stretch => {
    const stretch = { suite, tally: { ...noTally }, skipped: [] };
    stretches.push(stretch);
    lastOf.set(suite, stretch);
    return stretch;
  };
  let current: Stretch | null = null;
  for (const result of results()) {
    if (!isTold(result)) continue;
    if (current?.suite !== result.suite) current = begin(result.suite);
    const { tally } = current;
    tally.tests++;
    tally.totalMs += result.latency_ms;
    if (result.status === "fail") tally.failures++;
    else if (result.status === "invalid") tally.errors++;
  }
  for (const { suite, case_id } of skipped) {
    const stretch = lastOf.get(suite) ?? begin(suite);
    stretch.skipped.push(case_id);
    stretch.tally.tests++;
    stretch.tally.skipped++;
  }
  return stretches;
}

function* openSuite(stretch: Stretch | undefined, report: AgentReport): Generator<string> {
  const { suite: name = "", tally = noTally } = stretch ?? {};
  const { run, tool } = report;
  const timestamp = junitSecond(run.startedAt);
  yield `  ${xmlTag("testsuite", { name, ...junitCounts(tally), timestamp })}\n`;
  yield* junitProperties({
    models: run.models.join(", "),
    isolation: isolationWords(report),
    runId: run.id,
    seed: String(run.seed),
    tool: `${tool.name} ${tool.version}`,
  });
}

function* closeSuite(stretch: Stretch | undefined): Generator<string> {
  for (const name of stretch?.skipped ?? [])
    yield `    ${xmlTag("testcase", { name, classname: stretch?.suite, time: "0.000" })}\n` +
      `      ${xmlTag("skipped", { message: "skipped by level" }, "empty")}\n    </testcase>\n`;
  yield "  </testsuite>\n";
}

function testCase(result: AgentResult, kinds: CellKinds): string {
  const attributes = {
    name: [result.case_id, ...cellRest(result, kinds)].join(", "),
    classname: result.suite,
    time: (result.latency_ms / 1000).toFixed(3),
  };
  if (result.status === "pass") return `    ${xmlTag("testcase", attributes, "empty")}\n`;
  const isInvalid = result.status === "invalid";
  const element = isInvalid ? "error" : "failure";
  const type = isInvalid ? "no-verdict" : (result.failures[0]?.code ?? "fail");
  const message = shortenMiddle(isInvalid ? noVerdictWords(result) : failureWords(result), messageLimit);
  return (
    `    ${xmlTag("testcase", attributes)}\n` +
    `      ${xmlTag(element, { message, type })}` +
    `${escapeXmlLines(shortenMiddle(body(result), bodyLimit))}</${element}>\n    </testcase>\n`
  );
}

function failureWords({ failures }: AgentResult): string {
  return failures.map(({ dimension, code, message }) => `${dimension} ${code}: ${message}`).join("; ");
}

/** Everything that helps to find the fault without opening another file. */
function body(result: AgentResult): string {
  const failures = result.failures.flatMap((failure) => {
    const events = eventWords(failure);
    return [
      `${failure.dimension} ${failure.code}: ${failure.message}`,
      ...(events === null ? [] : [`  ${events}`]),
      ...quotedLines(failure, result.quotes).map(({ line, text }) => `  ${line}: ${text}`),
    ];
  });
  return [
    ...(result.status === "invalid" ? [noVerdictWords(result)] : []),
    ...failures,
    ...(result.run_dir === null ? [] : [`run: ${result.run_dir}`]),
  ].join("\n");
}
