import { type AgentEvalOptions, agentEvalTable } from "../../cases/case-options.ts";
import { agentOutput, agentPlan } from "../../cases/case-request.ts";
import { agentSessions } from "../../operations/agent/session.ts";
import { describeContainment } from "../../report/view/describe-containment.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { ExitCode } from "../io/exit-codes.ts";
import { warnOfIdleFlags } from "../io/warn-of-idle-flags.ts";
import { agentDryRun } from "./agent-dry-run.ts";
import { runLevelCommand } from "./level-command.ts";

/** `agent eval`: cases through an agent and its grader, from the command line to the exit code. */
export function agentEvalCommand(options: AgentEvalOptions, io: CommandIo): Promise<ExitCode> {
  return runLevelCommand(
    {
      command: "agent eval",
      table: agentEvalTable,
      sessions: agentSessions,
      plan: agentPlan,
      output: agentOutput,
      context: ({ env, version, judges, exclude, storePath, said }, { runsDir }) => ({
        env,
        version,
        models: judges,
        exclude: [...exclude, runsDir],
        storePath,
        runsDir,
        said,
      }),
      dryRun: agentDryRun,
      announce({ plan: { maxCostUsd }, ready: { cases, containment } }, { models }) {
        const mayRun = cases.some(({ policy }) => policy?.enable_tools.includes("run_script"));
        if (mayRun && containment.level !== "strict") io.warn(describeContainment(containment));
        if (cases.every(({ loaded }) => loaded.level !== "L2"))
          warnOfIdleFlags({ ...models, maxCostUsd }, io);
      },
    },
    options,
    io,
  );
}
