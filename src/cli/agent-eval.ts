import { describeContainment } from "../reporters/describe-containment.ts";
import { agentOutput, agentPlan } from "../run/agents/agent-request.ts";
import { type AgentSession, agentSessions } from "../run/agents/agent-session.ts";
import { saidModels } from "../run/resumed-models.ts";
import { surroundingsOf } from "../run/surroundings.ts";
import { agentDryRun } from "./agent-dry-run.ts";
import type { AgentEvalFlags } from "./agent-eval-options.ts";
import { planFlags, wishesOf } from "./agent-eval-request.ts";
import { carrySessionOut } from "./carry-session-out.ts";
import type { CommandIo } from "./command-io.ts";
import { typedConfig } from "./eval-options.ts";
import type { ExitCode } from "./exit-codes.ts";
import { typedTelemetry } from "./open-run-telemetry.ts";
import { typedOtlp } from "./otlp.ts";
import { resumedFlags } from "./resumed-flags.ts";
import { toldConfig } from "./told-config.ts";
import { warnOfIdleFlags } from "./warn-of-idle-flags.ts";

/** `agent eval`: cases through an agent and its grader, from the command line to the exit code. */
export async function agentEvalCommand(flags: AgentEvalFlags, io: CommandIo): Promise<ExitCode> {
  if (flags.resume === undefined && flags.rescore === undefined) return evalCases(flags, io);
  const resumption = {
    planFlags,
    named: { what: "<suites...>", values: flags.suites },
    config: typedConfig(flags),
    toResume: agentSessions.toResume,
  };
  return evalCases(await resumedFlags(flags, resumption, io), io);
}

async function evalCases(flags: AgentEvalFlags, io: CommandIo): Promise<ExitCode> {
  const loaded = await toldConfig(io, typedConfig(flags));
  const otlp = typedOtlp(flags, loaded.config, io);
  const telemetry = typedTelemetry(loaded.config, io);
  const wishes = wishesOf(flags);
  const output = agentOutput(wishes, loaded, io.cwd);
  const { runsDir } = output;
  const { env, cwd } = io;
  const { record, replay } = flags;
  const { apiKey } = loaded.config.llm;
  const facts = surroundingsOf({ env, cwd, output, apiKey, telemetry, record, replay });
  const context = {
    env,
    version: facts.version,
    models: facts.judges,
    exclude: [...facts.exclude, runsDir],
    storePath: facts.storePath,
    runsDir,
    said: saidModels(loaded),
  };
  const plan = () => agentPlan(wishes, loaded, cwd);
  if (flags.dryRun) return agentDryRun(plan(), context, io);
  return carrySessionOut(
    {
      command: "agent eval",
      sessions: agentSessions,
      context,
      plan,
      resume: flags.resume,
      rescore: flags.rescore,
      output,
      kind: "agent",
      telemetry,
      otlp,
      announce: (session) => announce(session, flags, io),
    },
    io,
  );
}

/** What a reader should know before the first cell. */
function announce({ ready }: AgentSession, flags: AgentEvalFlags, io: CommandIo): void {
  const { cases, containment } = ready;
  const mayRun = cases.some(({ policy }) => policy?.enable_tools.includes("run_script"));
  if (mayRun && containment.level !== "strict") io.warn(describeContainment(containment));
  const { record, replay, maxCost } = flags;
  if (cases.every(({ loaded }) => loaded.level !== "L2"))
    warnOfIdleFlags({ record: record ?? null, replay: replay ?? null, maxCostUsd: maxCost ?? null }, io);
}
