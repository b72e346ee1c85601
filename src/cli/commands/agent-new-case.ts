import { existsSync } from "node:fs";
import { join } from "node:path";
import { typedRoots } from "../../engine/skills/skill-root-folders.ts";
import { draftFromRun, draftFromSkill } from "../../operations/agent/draft-case.ts";
import { findRun } from "../../operations/agent/find-run.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { writeOutput } from "../io/write-output.ts";
import type { AgentNewCaseFlags } from "./agent-options.ts";

/** `agent new-case`: a case to begin with, from what a run did or what a skill says. */
export async function agentNewCaseCommand(flags: AgentNewCaseFlags, io: CommandIo): Promise<ExitCode> {
  const { cwd } = io;
  const { id, text } = await draft(flags, cwd);
  const file = join(flags.out, id, "case.json");
  if (existsSync(join(cwd, file)) || existsSync(file))
    throw new UserError("usage", `${file} already exists`, { path: file, hint: "choose another --out" });
  writeOutput(file, [text], io);
  io.result(
    { case: id, file },
    [
      `drafted ${file}`,
      "",
      `edit what it expects, remove "draft", and run it:  eval-skills agent eval ${flags.out} --case ${id}`,
    ].join("\n"),
  );
  return 0;
}

function draft({ fromRun, fromSkill, runsDir }: AgentNewCaseFlags, cwd: string) {
  if (fromRun !== undefined && fromSkill === undefined)
    return draftFromRun(findRun(fromRun, { cwd, runsDir }));
  const [root] = fromSkill === undefined || fromRun !== undefined ? [] : typedRoots([fromSkill], cwd);
  if (root === undefined || fromSkill === undefined)
    throw new UserError("usage", "agent new-case needs either --from-run or --from-skill", {
      hint: "eval-skills agent new-case --from-run <run>",
    });
  return draftFromSkill(root, fromSkill, cwd);
}
