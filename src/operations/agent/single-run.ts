import { openToolHosts } from "../../adapters/tool-hosts.ts";
import { scriptModel } from "../../agent-runtime/decide/script-model.ts";
import { openRunLog } from "../../agent-runtime/log/open-run-log.ts";
import type { AgentEnd, LiveListener } from "../../agent-runtime/loop/agent-setup.ts";
import { agentCatalog } from "../../cases/agent-catalog.ts";
import { type AgentModelOptions, agentModels } from "../../cases/agent-models.ts";
import type { AgentContext } from "../../cases/case-request.ts";
import { readGuardrails } from "../../cases/effective-case.ts";
import { startsProcess } from "../../cases/files/tool-names.ts";
import type { MockScript } from "../../contract/agent-case.ts";
import type { AgentModel, Approver } from "../../contract/agent-parts.ts";
import type { Config } from "../../contract/config.ts";
import type { Containment } from "../../contract/containment.ts";
import type { AgentLimits, AgentPolicy, Recording } from "../../contract/limits.ts";
import { openProcessSandbox, passedVariables } from "../../engine/containment/open-containment.ts";
import type { ContainmentOptions } from "../../engine/request.ts";
import type { SkillRoot } from "../../engine/skills/skill-root-folders.ts";
import { oneRun } from "../../levels/agent/one-run.ts";
import { systemClock } from "../../shared/async/clock.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { redactor } from "../../shared/text/redact.ts";
import { type RedactStream, redactStreams } from "../../shared/text/redact-stream.ts";
import { UserError } from "../../shared/user-error.ts";

/** One run of an agent outside an evaluation. */
export interface SingleRun {
  request: string;
  roots: readonly SkillRoot[];
  invoked: readonly string[];
  /** A script, or the id of a model. */
  model: { script: MockScript } | { id: string };
  modelOptions: AgentModelOptions;
  agent: Config["agent"];
  limits: AgentLimits;
  policy: AgentPolicy;
  approver: Approver;
  containment: ContainmentOptions;
  recording: Recording;
  /** The command line, without the flags that grant something. */
  command: readonly string[];
  streaming: boolean;
  runsDir: string;
  cwd: string;
}

interface SingleRunContext extends Omit<AgentContext, "storePath" | "runsDir" | "reliance"> {
  signal: AbortSignal;
  onLive?: LiveListener | undefined;
  /** Called before the run begins, if scripts may run. */
  onContainment(containment: Containment): void;
  warn(message: string): void;
}

export async function singleRun(run: SingleRun, context: SingleRunContext): Promise<AgentEnd> {
  const { env, exclude } = context;
  const catalog = await agentCatalog({ roots: run.roots, profile: "lenient", cwd: run.cwd, exclude });
  for (const { path, reason } of catalog.indexed.ignored)
    context.warn(`${path} is not a skill for an agent: ${reason}`);
  const unknown = run.invoked.find((name) => catalog.find(name) === null);
  if (unknown !== undefined)
    throw new UserError("skill-not-found", `unknown skill ${JSON.stringify(unknown)}`, {
      hint: didYouMean(
        unknown,
        catalog.skills.map(({ name }) => name),
      ),
    });
  const trusted = run.containment.envKeys.flatMap((name) => env[name] ?? []);
  await using models = agentModels(run.modelOptions, { env, ...context.models, secrets: trusted });
  const opened = await openModel(run, models);
  const mayRun = run.policy.enable_tools.some(startsProcess);
  const sandbox = await openProcessSandbox(run.containment, context, {
    mayStart: mayRun,
    floors: [],
    hidden: [run.runsDir],
  });
  return await openOrClose(
    () => sandbox[Symbol.asyncDispose](),
    async () => {
      if (mayRun) context.onContainment(sandbox.containment);
      const { level, backend, network, unproven } = sandbox.containment;
      const secrets = [...trusted, ...models.secrets()];
      const redact = redactor(secrets);
      const clock = systemClock;
      const random = Math.random;
      const { runsDir, recording } = run;
      const { envKeys, maxOutputBytes } = run.containment;
      await using hosts = openToolHosts({ mode: "fresh", sandbox, env, envKeys, maxOutputBytes });
      await using log = openRunLog({ runsDir, recording, redact, secrets, clock, random });
      const end = await oneRun(
        {
          ...run,
          ...opened,
          inputs: [],
          catalog,
          profile: "lenient",
          guardrails: readGuardrails(run.agent),
          sandbox,
          hosts,
          isolation: {
            level,
            backend,
            network: typeof network === "string" ? network : [...network],
            unproven: [...unproven],
          },
          env,
          variables: passedVariables(run.containment.envKeys, env),
          clock,
          random,
          signal: context.signal,
          onLive: context.onLive === undefined ? undefined : redactedLive(context.onLive, secrets, redact),
        },
        log,
      );
      await sandbox[Symbol.asyncDispose]();
      return { ...end, final: redact(end.final) };
    },
  );
}

async function openModel(
  { model, limits }: SingleRun,
  models: ReturnType<typeof agentModels>,
): Promise<{ model: AgentModel; fallback: AgentModel | null }> {
  if ("script" in model) return { model: scriptModel(model.script, systemClock), fallback: null };
  return models.open(model.id, { trial: 1, maxCostUsd: limits.max_cost_usd });
}

/** Shows a run as it is recorded: secrets are redacted on screen as well, since terminals are recorded too. */
export function redactedLive(
  { type, delta, event }: LiveListener,
  secrets: readonly string[],
  redact: <Value>(value: Value) => Value,
): LiveListener {
  const begin = redactStreams(secrets, redact);
  let stream: RedactStream | null = null;
  const show = (text: string): void => {
    if (text !== "") delta?.(text);
  };
  return {
    ...(type !== undefined && { type }),
    delta(text) {
      stream ??= begin();
      show(stream.write(text));
    },
    event(turn, kind, data) {
      show(stream?.end() ?? "");
      stream = null;
      event?.(turn, kind, redact(data));
    },
  };
}
