import { shownText } from "../../shared/text/visible-text.ts";
import type { ProblemReporter, RawCase } from "./raw-case.ts";

/** A case in a folder or file of its own is called as that is, so that everybody finds it. */
export function checkId(id: string, { calledBy }: RawCase, report: ProblemReporter): void {
  if (calledBy === null || calledBy === id) return;
  const name = shownText(calledBy);
  throw report.fault(["id"], `is ${id}, but its folder or file is named ${name}`, `rename one of the two`);
}
