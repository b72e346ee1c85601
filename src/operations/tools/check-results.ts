import type { HostedTool, ToolOutcome } from "../../contract/tool-host.ts";
import { differingPointers } from "../../shared/json/canonical-json.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import {
  type CheckEnd,
  errorMessage,
  failed,
  isUndecided,
  missingModule,
  passed,
  skipped,
  undecided,
} from "./check-end.ts";
import type { ToolCheckDetail } from "./tool-check.ts";
import { testsFile } from "./tool-samples.ts";
import { answeredSamples, type TriedSample } from "./try-samples.ts";

/** `returns-object`: every input that its author wrote gives an object, and at least one input does. */
export function returnsObject(
  tool: HostedTool,
  tried: readonly TriedSample[],
  needs: readonly string[],
): CheckEnd {
  const unclear = tried.find(({ first }) => isUndecided(first));
  if (unclear !== undefined) return undecided(errorMessage(unclear.first));
  const unknown = `no sample to check it with; add one to ${testsFile(tool)}`;
  if (tried.length === 0) return skipped(unknown);
  const answers = answeredSamples(tried);
  const refused = tried.filter(isBadSample);
  const lacking = tried.flatMap(({ first }) => missingModule(first, needs) ?? []);
  const wrong = tried.filter(
    (one) => one.first.status !== "answered" && !isBadSample(one) && missingModule(one.first, needs) === null,
  );
  if (wrong.length > 0)
    return failed(
      `${wrong.length} of ${pluralize(tried.length, "input")} did not return an object`,
      "fix the tool, or expect the error in a test with tool_error",
      wrong.slice(0, maxDetails).map(sampleDetail),
    );
  if (answers.length === 0 && lacking[0] !== undefined)
    return skipped(`needs ${lacking[0]}, which is not installed here`);
  if (answers.length === 0)
    return { ...skipped(unknown), details: refused.slice(0, maxDetails).map(sampleDetail) };
  const [rejected, ...more] = refused;
  const others = more.length === 0 ? "" : ` and ${pluralize(more.length, "other")}`;
  const aside =
    rejected === undefined
      ? ""
      : `; it rejected the one ${rejected.sample.name}${others}, which may be correct`;
  return passed(`${pluralize(answers.length, "input")}${aside}`, refused.map(sampleDetail));
}

/** A generated input may be one that the tool does not take, and Python says so with a `TypeError`, `ValueError` or `LookupError`. Any other one is a fault of the tool. */
function isBadSample({ sample, first }: TriedSample): boolean {
  if (sample.origin !== "made" || first.status !== "failed") return false;
  return first.cause === "bad-arguments" || first.isRefusal === true;
}

function sampleDetail({ sample, first }: TriedSample): ToolCheckDetail {
  return { input: sample.name, place: null, reason: errorMessage(first) };
}

const maxDetails = 20;
const maxDifferences = 5;

/** `deterministic`: the same call gives the same, in another process and in one that has served it before. */
export function deterministic(tried: readonly TriedSample[]): CheckEnd {
  const answers = answeredSamples(tried);
  if (answers.length === 0) return skipped("no call returned a result");
  const details: ToolCheckDetail[] = [];
  for (const { sample, data, again } of answers)
    for (const { how, outcome } of again) {
      if (isUndecided(outcome)) return undecided(errorMessage(outcome));
      details.push(...differences(data, outcome, how).map((one) => ({ input: sample.name, ...one })));
    }
  const calls = answers.reduce((sum, { again }) => sum + 1 + again.length, 0);
  if (details.length === 0) return passed(`${pluralize(calls, "call")} with identical results`);
  const pointers = [...new Set(details.map(({ place }) => place ?? "the whole result"))];
  return failed(
    `differs at ${listed(pointers, maxDifferences)}`,
    "avoid clocks and randomness, sort sets, and keep no state between calls",
    details.slice(0, maxDifferences),
  );
}

function differences(
  data: unknown,
  outcome: ToolOutcome,
  how: string,
): Pick<ToolCheckDetail, "place" | "reason">[] {
  if (outcome.status !== "answered") return [{ place: null, reason: `${errorMessage(outcome)} ${how}` }];
  return differingPointers(data, outcome.output, maxDifferences).map(({ pointer, one, other }) => ({
    place: pointer,
    reason: `${shown(one)}, then ${shown(other)} ${how}`,
  }));
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : shorten(JSON.stringify(value), 60);
}

const swallowed = /^swallowed-error: /;

/** `no-swallowed-error`: what goes wrong is raised, not returned. */
export function noSwallowedError(tried: readonly TriedSample[]): CheckEnd {
  const answers = answeredSamples(tried);
  if (answers.length === 0) return skipped("no call returned a result");
  const details = answers.flatMap(({ sample, data, first }) =>
    (first.warnings ?? [])
      .filter((warning) => swallowed.test(warning))
      .map(() => ({
        input: sample.name,
        place: data.ok === false ? "/ok" : "/error",
        reason: `is ${shown(data.ok === false ? false : data.error)}`,
      })),
  );
  if (details.length === 0) return passed(pluralize(answers.length, "result"));
  return failed(
    `${pluralize(details.length, "result")} ${details.length === 1 ? "reports" : "report"} an error instead of raising it`,
    "raise an exception, so that the model sees an error",
    details.slice(0, maxDetails),
  );
}
