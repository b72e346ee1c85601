import { shorten } from "../base/visible-text.ts";
import type { QueryLine, QuerySummary } from "../contract/trigger-report.ts";
import { describeQuery, type QueryStanding, standingOf } from "./describe-query.ts";
import { escapeXmlLines } from "./junit-escape.ts";
import { xmlTag } from "./junit-tag.ts";
import { type JunitTally, noTally } from "./junit-tally.ts";
import { shortenMiddle } from "./shorten-middle.ts";

const nameLimit = 160;
const messageLimit = 300;
const bodyLimit = 8_000;

/** A query, with as much as is known of its answers. */
export type JunitQuery = QuerySummary & Partial<Pick<QueryLine, "judgments">>;

/** The element that tells how a query ended; a pass has none. Without a usable answer it failed, without a decision it is open. */
const elementOf: Record<QueryStanding, "failure" | "error" | null> = {
  passed: null,
  failed: "failure",
  inconclusive: "error",
};

/** Counts the queries of a suite. */
export function tallyQueries(queries: Iterable<JunitQuery>): JunitTally {
  const tally = { ...noTally };
  for (const query of queries) {
    const element = elementOf[standingOf(query)];
    tally.tests++;
    tally.totalMs += timeOf(query);
    if (element === "failure") tally.failures++;
    else if (element === "error") tally.errors++;
  }
  return tally;
}

/** One query as a test case of JUnit. */
export function junitQuery(query: JunitQuery, skillId: string): string {
  const attributes = {
    name: nameOf(query),
    classname: `${skillId}/triggering`,
    time: (timeOf(query) / 1000).toFixed(3),
  };
  const element = elementOf[standingOf(query)];
  if (element === null) return `    ${xmlTag("testcase", attributes, "empty")}\n`;
  const words = describeQuery({ ...query, skillId });
  const message = shortenMiddle(words, messageLimit);
  const body = [words, `query: ${query.query}`, `id: ${query.queryId}`, ...answerLines(query)].join("\n");
  return (
    `    ${xmlTag("testcase", attributes)}\n` +
    `      ${xmlTag(element, { message, type: query.cause ?? query.verdict })}` +
    `${escapeXmlLines(shortenMiddle(body, bodyLimit))}</${element}>\n    </testcase>\n`
  );
}

/** A suite that is one skipped test case: what is not tested should be seen, not missed. */
export function junitSkipped(skillId: string, words: string): string {
  return (
    `    ${xmlTag("testcase", { name: "triggering", classname: `${skillId}/triggering`, time: "0.000" })}\n` +
    `      ${xmlTag("skipped", { message: words }, "empty")}\n    </testcase>\n`
  );
}

/** The text of a query is its name; a long one is told from its like by its id. */
function nameOf({ side, query, queryId }: JunitQuery): string {
  const short = shorten(query, nameLimit);
  return `${side}: ${short}${short === query ? "" : ` (${queryId})`}`;
}

function answerLines({ judgments, reason }: JunitQuery): string[] {
  if (judgments === undefined) return reason === null || reason === "" ? [] : [`reason: ${reason}`];
  return judgments.map((one) => {
    const said =
      one.outcome === "error"
        ? `${one.code}: ${one.message}`
        : one.outcome === "invalid"
          ? one.raw
          : one.reason;
    return `${one.repeat + 1}. ${one.outcome}: ${shorten(said, messageLimit)}`;
  });
}

function timeOf({ judgments = [] }: JunitQuery): number {
  return judgments.reduce((sum, { ms }) => sum + ms, 0);
}
