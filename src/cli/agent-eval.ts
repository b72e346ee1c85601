import { agentJsonReporter } from "../reporters/agent/agent-json.ts";
import { agentLines } from "../reporters/agent/agent-lines.ts";
import { describeContainment } from "../reporters/describe-containment.ts";
import type { AgentJob } from "../run/agents/agent-cells.ts";
import { agentReportersFor } from "../run/agents/agent-reporters.ts";
import { agentOutput, agentPlan } from "../run/agents/agent-request.ts";
import { type AgentSession, agentSessions } from "../run/agents/agent-session.ts";
import { runAgents } from "../run/agents/run-agents.ts";
import { saidModels } from "../run/resumed-models.ts";
import { surroundingsOf } from "../run/surroundings.ts";
import type { RunFacts } from "../run/telemetry/run-telemetry.ts";
import { agentDryRun } from "./agent-dry-run.ts";
import type { AgentEvalFlags } from "./agent-eval-options.ts";
import { planFlags, wishesOf } from "./agent-eval-request.ts";
import { carrySessionOut } from "./carry-session-out.ts";
import type { CommandIo } from "./command-io.ts";
import { typedConfig } from "./eval-options.ts";
import type { ExitCode } from "./exit-codes.ts";
import { tellGithubOfAgents } from "./github.ts";
import { typedTelemetry } from "./open-run-telemetry.ts";
import { typedOtlp } from "./otlp.ts";
import { resumedFlags } from "./resumed-flags.ts";
import { toldConfig } from "./told-config.ts";
import { warnOfIdleFlags } from "./warn-of-idle-flags.ts";

/** `agent eval`: cases through an agent and its grader, from the command line to the exit code. */
export async function agentEvalCommand(flags: AgentEvalFlags, io: CommandIo): Promise<ExitCode> {
  if (flags.resume === undefined) return evalCases(flags, io);
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
  const { env, cwd } = io;
  const { record, replay } = flags;
  const { apiKey } = loaded.config.llm;
  const facts = surroundingsOf({ env, cwd, output, apiKey, telemetry, record, replay });
  const around = {
    env,
    version: facts.version,
    models: facts.judges,
    exclude: [...facts.exclude, output.runsDir],
    storePath: facts.storePath,
    said: saidModels(loaded),
  };
  const plan = () => agentPlan(wishes, loaded, cwd);
  if (flags.dryRun) return agentDryRun(plan(), around, io);

  const reporters = await agentReportersFor(output.formats);
  return carrySessionOut(
    {
      command: "agent eval",
      sessions: agentSessions,
      context: around,
      plan,
      resume: flags.resume,
      namesBegin: "agent-result",
      output,
      telemetry,
      otlp,
      factsOf,
      announce: (session) => announce(session, flags, io),
      run: (session, world) => runAgents(session, output, { ...world, reporters }),
      tellEnd({ report, results }, session) {
        if (io.json) io.resultPieces(agentJsonReporter.render(report, results));
        else io.result({}, agentLines(report, results, { color: io.color, width: io.width }));
        tellGithubOfAgents(report, results, io, fileOfCase(session));
      },
    },
    io,
  );
}

function factsOf({ ready: { jobs } }: AgentSession): RunFacts {
  return {
    command: "agent eval",
    skills: [...new Set(jobs.flatMap(skillsOf))].sort(),
    models: [...new Set(jobs.map(({ model }) => model))],
    cellsAre: "case",
  };
}

/** The skills that a case could be given: ids of prompts, names of skills that agents load. */
function skillsOf({ skills, condition }: AgentJob): string[] {
  if (condition === "no-skills" || skills === null) return [];
  const { skills: given } = skills as { skills: { id?: string; name?: string }[] };
  return given.flatMap(({ id, name }) => id ?? name ?? []);
}

/** What a reader should know before the first cell. */
function announce({ ready }: AgentSession, flags: AgentEvalFlags, io: CommandIo): void {
  const mayRun = ready.jobs.some(({ policy }) => policy?.enable_tools.includes("run_script"));
  const { containment } = ready.sandbox;
  if (mayRun && containment.level !== "strict") io.warn(describeContainment(containment));
  const { record, replay, maxCost } = flags;
  if (ready.jobs.every(({ model }) => model === "mock" || model === "none"))
    warnOfIdleFlags({ record: record ?? null, replay: replay ?? null, maxCostUsd: maxCost ?? null }, io);
}

function fileOfCase({ ready }: AgentSession): (suite: string, caseId: string) => string | undefined {
  return (suite, caseId) =>
    ready.jobs.find(({ loaded }) => loaded.suite === suite && loaded.case.id === caseId)?.loaded.file;
}
