import { dirname } from "node:path";
import type { AgentCaseFile } from "../../contract/agent-case.ts";
import type { LoadedAgentCase } from "../../contract/loaded-case.ts";
import { type CaseFiles, statsOf } from "./case-files.ts";
import type { ProblemReporter, RawCase } from "./raw-case.ts";

/** Where the skills of a case are: as it says, else beside the skill whose test it is; null: where the project has them. */
export function skillRootsOf(
  { setup }: { setup: Pick<AgentCaseFile["setup"], "skill_roots"> },
  { dir, skillDir }: RawCase,
  files: CaseFiles,
  report: ProblemReporter,
): LoadedAgentCase["skillRoots"] {
  if (setup.skill_roots === undefined)
    return skillDir === null ? null : [{ source: "project", path: dirname(skillDir), priority: 0 }];
  return setup.skill_roots.map((entry, index) => {
    const {
      source,
      path: words,
      priority = 0,
    } = typeof entry === "string" ? { source: "project" as const, path: entry } : entry;
    const steps = ["setup", "skill_roots", index, ...(typeof entry === "string" ? [] : ["path"])];
    const found = files.place(words, dir);
    if (!found.ok) throw report.fault(steps, found.problem);
    if (statsOf(found.path)?.isDirectory() !== true)
      throw report.fault(steps, `is not a folder: ${found.path}`);
    return { source, path: found.path, priority };
  });
}
