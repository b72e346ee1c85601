import type { ExpectedText } from "../contract/agent-case.ts";
import type { LoadedCase } from "../contract/loaded-case.ts";
import type { Probing } from "../contract/probing.ts";
import { schemaProbing } from "../scorers/json-schema.ts";
import type { ProbedCase } from "../scorers/probe-cases.ts";
import { patternProbing } from "../scorers/regex.ts";
import type { Json } from "../shared/json/json.ts";
import { compileSchema } from "../shared/json/json-schema.ts";
import { listed } from "../shared/text/phrases.ts";

/** What cases ask of the text at the end, each assertion by itself: one that any text meets is a mistake, whatever else is asked. */
export function probedOutputs(cases: readonly LoadedCase[]): ProbedCase[] {
  return cases.flatMap((loaded) => {
    if (loaded.kind !== "agent" && loaded.kind !== "conversation") return [];
    const { suite, case: file, file: path, jsonPath, outputSchema } = loaded;
    const { id, expect, allow_vacuous: allowVacuous } = file;
    const probings = expect.output === undefined ? [] : outputProbings(expect.output);
    const all = outputSchema === undefined ? probings : [...probings, ...schemaProbings(outputSchema)];
    return all.map((probing) => ({ suite, id, file: path, jsonPath, probing, allowVacuous }));
  });
}

/** Cases that any run passes that comes to an end, even of an agent that does nothing. */
export function idleWarnings(cases: readonly LoadedCase[]): string[] {
  const idle = cases.filter((loaded) => {
    if (loaded.kind !== "agent" && loaded.kind !== "conversation") return false;
    const { expect, constraints, mock } = loaded.case;
    const isScriptChecked =
      mock !== undefined &&
      (("strict" in mock && mock.strict) || mock.turns.some((turn) => "expect_context" in turn));
    const isLimited = Object.values(constraints ?? {}).some((one) => Array.isArray(one) && one.length > 0);
    return !isScriptChecked && !isLimited && !asksAnything(expect);
  });
  if (idle.length === 0) return [];
  const names = listed(
    idle.map(({ case: { id } }) => id),
    shownCases,
  );
  const verb = idle.length === 1 ? "expects" : "expect";
  return [`${names} ${verb} nothing: every run that ends passes; add what it must do under \`expect\``];
}

const shownCases = 5;

/** `tool_calls: []` asks that there be none; other empty lists ask for nothing. */
function asksAnything(asked: object): boolean {
  return Object.entries(asked).some(([key, value]) =>
    Array.isArray(value) ? value.length > 0 || key === "tool_calls" : value !== undefined,
  );
}

function outputProbings(output: ExpectedText): Probing[] {
  const { regex_match, contains_all, contains_any, case_sensitive } = output;
  const probings: Probing[] = [];
  const tidy = (words: string) => (case_sensitive ? words.normalize() : words.normalize().toLowerCase());
  const addWords = (member: string, words: readonly string[], quantify: "every" | "some") =>
    probings.push({
      member: `.expect.output.${member}`,
      accepts: (answer) => words[quantify]((word) => tidy(finalText(answer)).includes(tidy(word))),
      isRight: (answer) => words.some((word) => tidy(word) === tidy(finalText(answer))),
      advice: "use longer words",
    });
  if (contains_all !== undefined) addWords("contains_all", contains_all, "every");
  if (contains_any !== undefined) addWords("contains_any", contains_any, "some");
  if (regex_match !== undefined) {
    const entries = Array.isArray(regex_match) ? regex_match : [regex_match];
    const parts = entries.map((entry) => {
      const { pattern, flags = case_sensitive ? "u" : "iu" } =
        typeof entry === "string" ? { pattern: entry } : entry;
      return patternProbing([pattern], flags, finalText);
    });
    probings.push({
      member: ".expect.output.regex_match",
      accepts: (answer) => parts.every((part) => part.accepts(answer)),
      isRight: (answer) => parts.some((part) => part.isRight?.(answer) === true),
      mayTakeLong: true,
      advice: parts[0]?.advice ?? "",
    });
  }
  return probings;
}

/** The text an agent would end with, had it given this answer. */
function finalText(answer: Json): string {
  return typeof answer === "string" ? answer : JSON.stringify(answer);
}

function schemaProbings(schema: Parameters<typeof schemaProbing>[0]): Probing[] {
  const compiled = compileSchema(schema);
  return compiled.ok ? [{ ...schemaProbing(schema, compiled), member: ".expect.output.json_schema" }] : [];
}
