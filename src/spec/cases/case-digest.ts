import { canonicalJson, sha256 } from "../../base/canonical-json.ts";
import type { AgentCaseFile } from "../../contract/agent-case.ts";
import type { ConversationCaseFile } from "../../contract/conversation-case.ts";
import type { LoadedAgentCase } from "../../contract/loaded-case.ts";
import type { CaseFiles } from "./case-files.ts";
import type { Teller } from "./raw-case.ts";

type Content = { file: AgentCaseFile | ConversationCaseFile } & Pick<
  LoadedAgentCase,
  "request" | "inputs" | "expectedFiles" | "outputSchema"
>;

/** The hash of all that decides how a trial of a case goes and is graded: its words, and the files it names. */
export function caseDigest(
  { file, request, inputs, expectedFiles, outputSchema }: Content,
  files: CaseFiles,
  tell: Teller,
): string {
  // These say how a case is shown, chosen and counted; a trial is the same with others.
  const { title, tags, repeat, min_pass_rate, ...decisive } = file;
  const hashOf = (path: string) => {
    const hash = files.hashOf(path);
    if (hash === null) throw tell.fault([], `needs ${path}, which cannot be read`);
    return hash;
  };
  return sha256(
    canonicalJson({
      case: decisive,
      request,
      inputs: inputs.map(({ name, path }) => [name, hashOf(path)]),
      expected: Object.entries(expectedFiles).map(([words, path]) => [words, hashOf(path)]),
      schema: outputSchema,
    }),
  );
}
