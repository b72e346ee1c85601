import { lexicalProblem } from "../../base/path-guard.ts";
import { shownText } from "../../base/visible-text.ts";
import type { AgentCaseFile, Expect } from "../../contract/agent-case.ts";
import { checkOutput } from "./check-output.ts";
import { checkSelection } from "./check-selection.ts";
import type { Teller } from "./raw-case.ts";

/** Refuses expectations that every run fulfils, or none can. */
export function checkExpectations({ expect }: AgentCaseFile, tell: Teller): void {
  checkSelection(expect, tell);
  checkSequence(expect, tell);
  checkErrors(expect, tell);
  checkFiles(expect, tell);
  if (expect.output !== undefined) checkOutput(expect.output, tell);
}

function checkSequence({ action_sequence_constraints: rules }: Expect, tell: Teller): void {
  const forbidden = new Set(rules.flatMap((rule) => ("forbid" in rule ? [rule.forbid] : [])));
  for (const [index, rule] of rules.entries()) {
    if ("forbid" in rule) continue;
    const steps = ["expect", "action_sequence_constraints", index];
    const { must_occur, before = [] } = rule;
    if (forbidden.has(must_occur))
      throw tell.fault(
        [...steps, "must_occur"],
        `asks for ${shownText(must_occur)}, which another rule forbids`,
      );
    if ([before].flat().includes(must_occur))
      throw tell.fault([...steps, "before"], "names what must come before it; nothing comes before itself");
  }
}

function checkErrors({ errors }: Expect, tell: Teller): void {
  for (const [index, { min, max }] of errors.entries())
    if (max !== undefined && max < min)
      throw tell.fault(["expect", "errors", index, "max"], `must be at least min, which is ${min}`);
}

function checkFiles({ files }: Expect, tell: Teller): void {
  for (const [index, { path, exists, sha256, equals, contains_all }] of files.entries()) {
    const steps = ["expect", "files", index];
    const asksForContent = sha256 !== undefined || equals !== undefined || contains_all !== undefined;
    if (!exists && asksForContent)
      throw tell.fault(steps, "asks for the content of a file that must not exist");
    if (sha256 !== undefined && !isHash(sha256))
      throw tell.fault(
        [...steps, "sha256"],
        "must be 64 hexadecimal digits, with sha256: before them or not",
      );
    const problem = lexicalProblem(path);
    if (problem !== null)
      throw tell.fault([...steps, "path"], `must be a path inside the workspace, and ${problem}`);
  }
}

function isHash(text: string): boolean {
  return /^(?:sha256:)?[0-9a-f]{64}$/.test(text);
}
