import type { AgentCaseFile, Expect } from "../../contract/agent-case.ts";
import { lexicalProblem } from "../../shared/files/path-guard.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { checkOutput } from "./check-output.ts";
import { checkSelection } from "./check-selection.ts";
import type { ProblemReporter } from "./raw-case.ts";

/** Refuses expectations that every run fulfils, or none can. */
export function checkExpectations({ expect }: AgentCaseFile, report: ProblemReporter): void {
  checkSelection(expect, report);
  checkSequence(expect, report);
  checkErrors(expect, report);
  checkFiles(expect, report);
  if (expect.output !== undefined) checkOutput(expect.output, report);
}

function checkSequence({ action_sequence_constraints: rules }: Expect, report: ProblemReporter): void {
  const forbidden = new Set(rules.flatMap((rule) => ("forbid" in rule ? [rule.forbid] : [])));
  for (const [index, rule] of rules.entries()) {
    if ("forbid" in rule) continue;
    const steps = ["expect", "action_sequence_constraints", index];
    const { must_occur, before = [] } = rule;
    if (forbidden.has(must_occur))
      throw report.fault(
        [...steps, "must_occur"],
        `requires ${shownText(must_occur)}, which another rule forbids`,
      );
    if ([before].flat().includes(must_occur))
      throw report.fault([...steps, "before"], "must name another action: nothing comes before itself");
  }
}

function checkErrors({ errors }: Expect, report: ProblemReporter): void {
  for (const [index, { min, max }] of errors.entries())
    if (max !== undefined && max < min)
      throw report.fault(["expect", "errors", index, "max"], `must be at least min, which is ${min}`);
}

function checkFiles({ files }: Expect, report: ProblemReporter): void {
  for (const [index, { path, exists, sha256, equals, contains_all }] of files.entries()) {
    const steps = ["expect", "files", index];
    const asksForContent = sha256 !== undefined || equals !== undefined || contains_all !== undefined;
    if (!exists && asksForContent)
      throw report.fault(steps, "checks the content of a file that must not exist");
    if (sha256 !== undefined && !isHash(sha256))
      throw report.fault([...steps, "sha256"], "must be 64 hexadecimal digits, optionally after sha256:");
    const problem = lexicalProblem(path);
    if (problem !== null)
      throw report.fault([...steps, "path"], `must be a path inside the workspace: it ${problem}`);
  }
}

function isHash(text: string): boolean {
  return /^(?:sha256:)?[0-9a-f]{64}$/.test(text);
}
