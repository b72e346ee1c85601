import type { Expect } from "../../contract/agent-case.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { ProblemReporter } from "./raw-case.ts";

type Selection = Pick<Expect, "skills_all_of" | "skills_any_of" | "skills_none_of">;

/** Refuses to ask for a skill and to forbid it. */
export function checkSelection(expect: Selection, report: ProblemReporter): void {
  const { skills_all_of: all = [], skills_any_of: any = [], skills_none_of: none = [] } = expect;
  const isForbidden = (name: string) => none.includes("*") || none.includes(name);
  const wanted = all.find(isForbidden);
  const contradicts = (name: string) => `requires ${shownText(name)}, which skills_none_of forbids`;
  if (wanted !== undefined) throw report.fault(["expect", "skills_all_of"], contradicts(wanted));
  if (any.length > 0 && any.every(isForbidden))
    throw report.fault(["expect", "skills_any_of"], contradicts(any[0] ?? ""));
}
