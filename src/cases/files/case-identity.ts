import type { AgentCaseFile, CaseLevel } from "../../contract/agent-case.ts";
import type { ConversationCaseFile } from "../../contract/conversation-case.ts";
import type { LoadedAgentCase } from "../../contract/loaded-case.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { CaseFiles } from "./case-files.ts";
import type { ProblemReporter, RawCase } from "./raw-case.ts";

/** A case in a folder or file of its own is called as that is, so that everybody finds it. */
export function checkId(id: string, { calledBy }: RawCase, report: ProblemReporter): void {
  if (calledBy === null || calledBy === id) return;
  const name = shownText(calledBy);
  throw report.fault(["id"], `is ${id}, but its folder or file is named ${name}`, `rename one of the two`);
}

/** The level of a case in which somebody speaks: a script, or a real model. */
export function caseLevel(
  { level, mock }: { level?: CaseLevel | undefined; mock?: object | undefined },
  report: ProblemReporter,
): CaseLevel {
  if (level === "L0")
    throw report.fault(["level"], "is L0, but only pure functions run without an agent", "remove it");
  if (level === "L1" && mock === undefined)
    throw report.fault(["level"], "is L1, but the case has no mock", "add mock.turns, or set level: L2");
  return level ?? (mock === undefined ? "L2" : "L1");
}

type Content = { file: AgentCaseFile | ConversationCaseFile } & Pick<
  LoadedAgentCase,
  "request" | "inputs" | "expectedFiles" | "outputSchema"
> &
  Partial<Pick<LoadedAgentCase, "checkFiles">>;

/** Hashes of all that decides how a trial of a case goes, and of that with all that decides how it is graded: words and files. */
export function caseDigests(
  { file, request, inputs, expectedFiles, checkFiles = {}, outputSchema }: Content,
  files: CaseFiles,
  report: ProblemReporter,
): Pick<LoadedAgentCase, "digest" | "requestDigest"> {
  // These say how a case is shown, chosen and counted; a trial is the same with others.
  const { title, tags, repeat, min_pass_rate, ...decisive } = file;
  const hashOf = (path: string) => {
    const hash = files.hashFile(path);
    if (hash === null) throw report.fault([], `needs ${path}, which cannot be read`);
    return hash;
  };
  const given = { request, inputs: inputs.map(({ name, path }) => [name, hashOf(path)]) };
  const expected = Object.entries(expectedFiles).map(([words, path]) => [words, hashOf(path)]);
  const { expect, ...requestedCase } = decisive;
  // Programs judge a workspace right after its run; who has others has another run.
  const checks =
    "checks" in expect && expect.checks.length > 0
      ? [expect.checks, Object.entries(checkFiles).map(([words, path]) => [words, hashOf(path)])]
      : undefined;
  // What skills promise is looked up while they are there.
  const output = file.kind === "conversation" ? file.expect.output : undefined;
  const contract = output?.schema ?? output?.contract === true;
  return {
    digest: sha256(canonicalJson({ case: decisive, ...given, expected, checks, schema: outputSchema })),
    requestDigest: sha256(canonicalJson({ case: requestedCase, ...given, checks, contract })),
  };
}
