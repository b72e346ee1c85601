import { planFailures } from "../../contract/plan-failures.ts";
import type { Stratum } from "../../contract/planbench-file.ts";
import type {
  PlanReport,
  PlanReporter,
  PlanResult,
  PlanResultReader,
} from "../../contract/planbench-report.ts";
import { milliseconds } from "../format-numbers.ts";
import { escapeXmlLines } from "../junit-escape.ts";
import { junitCounts, junitProperties, junitSecond } from "../junit-suite.ts";
import { xmlTag } from "../junit-tag.ts";
import { addTallies, type JunitTally, noTally } from "../junit-tally.ts";
import { shortenMiddle } from "../shorten-middle.ts";
import { parameterWords } from "./plan-facts.ts";
import { noOutcomeWords, outcomeWords, sampleName, strataShown, violationWords } from "./sample-words.ts";

const messageLimit = 300;
const bodyLimit = 8_000;

/** The report on plans for CI servers: a test suite per stratum, a test case per sample. */
export const planJunitReporter: PlanReporter = { format: "junit", extension: "xml", render };

function* render(report: PlanReport, results: PlanResultReader): Generator<string> {
  // Counts stand before what they count, so the results pass by more than once; none of them is kept.
  const tallies = tallyStrata(results);
  const sum = [...tallies.values()].reduce(addTallies, noTally);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `${xmlTag("testsuites", { name: "eval-skills planbench", ...junitCounts(sum) })}\n`;
  for (const route of strataShown) {
    const tally = tallies.get(route);
    if (tally === undefined) continue;
    yield* openSuite(route, tally, report);
    for (const result of results()) if (result.route === route) yield testCase(result, report);
    yield "  </testsuite>\n";
  }
  yield "</testsuites>\n";
}

function tallyStrata(results: PlanResultReader): Map<Stratum, JunitTally> {
  const tallies = new Map<Stratum, JunitTally>();
  for (const { route, outcome, ms } of results()) {
    const tally = tallies.get(route) ?? { ...noTally };
    tallies.set(route, tally);
    tally.tests++;
    tally.totalMs += ms;
    if (outcome === "fail") tally.failures++;
    else if (outcome === "error") tally.errors++;
  }
  return tallies;
}

function* openSuite(route: Stratum, tally: JunitTally, report: PlanReport): Generator<string> {
  const { run, tool } = report;
  const name = `${run.bench} ${route}`;
  const timestamp = junitSecond(run.startedAt);
  yield `  ${xmlTag("testsuite", { name, ...junitCounts(tally), timestamp })}\n`;
  yield* junitProperties({
    bench: run.bench,
    model: run.model,
    answeredBy: run.answeredBy.join(", "),
    parameters: parameterWords(report),
    schema: run.schema.name,
    maxRepairs: String(run.maxRepairs),
    runId: run.id,
    seed: String(run.seed),
    tool: `${tool.name} ${tool.version}`,
  });
}

function testCase(result: PlanResult, report: PlanReport): string {
  const attributes = {
    name: sampleName(result, report),
    classname: `${report.run.bench}.${result.route}`,
    time: (result.ms / 1000).toFixed(3),
  };
  if (result.outcome === "ok") return `    ${xmlTag("testcase", attributes, "empty")}\n`;
  const isError = result.outcome === "error";
  const element = isError ? "error" : "failure";
  const type = result.cause ?? (isError ? "no-outcome" : "invalid-plan");
  const message = isError ? noOutcomeWords(result) : planFailures(result).join("; ");
  return (
    `    ${xmlTag("testcase", attributes)}\n` +
    `      ${xmlTag(element, { message: shortenMiddle(message, messageLimit), type })}` +
    `${escapeXmlLines(shortenMiddle(body(result), bodyLimit))}</${element}>\n    </testcase>\n`
  );
}

/** Everything that helps to find the fault without opening another file. */
function body(result: PlanResult): string {
  const attempts = result.attempts.flatMap(({ valid, ms, violations }, at) => [
    `attempt ${at}: ${valid ? "valid" : "not valid"}, ${milliseconds(ms)}`,
    ...violations.map((violation) => `  ${violationWords(violation)}`),
  ]);
  return [
    result.outcome === "error" ? noOutcomeWords(result) : outcomeWords(result),
    ...(result.problem === null || result.outcome === "error" ? [] : [result.problem]),
    ...(result.claimedOk === true ? ["the service called it ok"] : []),
    ...(result.selected === null ? [] : [`selected: ${result.selected.join(", ") || "nothing"}`]),
    ...attempts,
  ].join("\n");
}
