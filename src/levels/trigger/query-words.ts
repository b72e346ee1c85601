import type { SubjectReport } from "../../contract/document.ts";
import type { QuerySummary } from "../../contract/trigger-report.ts";
import type { Scalar } from "../../contract/view.ts";
import { TriggerSubjectDetails } from "./details.ts";

const known = new WeakMap<SubjectReport, TriggerSubjectDetails | null>();

/** The details of a subject; null in a foreign report without them. */
export function readDetails(subject: SubjectReport): TriggerSubjectDetails | null {
  let details = known.get(subject);
  if (details === undefined) {
    details = TriggerSubjectDetails.safeParse(subject.details).data ?? null;
    known.set(subject, details);
  }
  return subject.level === "trigger" ? details : null;
}

/** 0/0 is neither 0 nor 1. */
export function definedOr(value: number | null): Scalar {
  return value ?? "undefined";
}

/** The result of a query: `failed: would not load, yes 0/8 [0–0.324 if asked again]`, `failed: no skill was chosen`. */
export function queryWords(query: QuerySummary, skillId: string | null): string {
  const { verdict, cause, side } = query;
  const answers = query.repeats === 1 ? "" : answerWords(query);
  switch (cause) {
    case null:
      if (verdict === "pass") return `passed${answers}`;
      if (side === "should_not_match") return `failed: would load${answers}`;
      return `failed: ${missWords(query, skillId)}${answers}`;
    case "undecided":
      return `undecided${answers}`;
    case "judge-error":
      return `no verdict: too few replies${answers}`;
    case "uncalibrated":
      return `no verdict: the judge is not reliable enough${answers}`;
    case "no-verdict":
      return `no verdict: no usable answer${answers}`;
    default:
      return cause satisfies never;
  }
}

/** The usable answers, with the interval of their rate: `, yes 7/8 [0.529–0.978 if asked again]`. */
function answerWords({ yes, no, interval }: QuerySummary): string {
  if (yes + no === 0) return "";
  const short = (value: number) => String(Number(value.toFixed(3)));
  const bounds = interval === null ? "" : ` [${short(interval[0])}–${short(interval[1])} if asked again]`;
  return `, yes ${yes}/${yes + no}${bounds}`;
}

/** What happened instead of loading a skill. */
function missWords({ chosen }: QuerySummary, skillId: string | null): string {
  if (chosen === undefined || chosen === skillId) return "would not load";
  return chosen === null ? "no skill was chosen" : `${chosen} was chosen instead`;
}
