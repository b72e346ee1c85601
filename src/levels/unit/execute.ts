import { type AdapterContext, openAdapter } from "../../adapters/open-adapter.ts";
import type { Adapter, CallLimits } from "../../contract/outcome.ts";
import {
  type RunningPrograms,
  servicesNamedIn,
  withServicePorts,
  workFolderVariable,
} from "../../contract/suite-programs.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import { containmentStamp } from "../../engine/containment-stamp.ts";
import type { OpenPrograms } from "../../engine/programs/open-programs.ts";
import { prepareScorer } from "../../scorers/choose-scorer.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import type { Json } from "../../shared/json/json.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";
import type { Execution } from "./execution.ts";
import { checkInputs, outputCheck } from "./schema-warnings.ts";

/** Calls the skill through its adapter. */
export const unitExecution: Execution = {
  prepareScorer,
  async open({ skills: loaded, tasks, context, programs, services }) {
    const skills = loaded.map(({ skill }) => skill);
    const adapters = new Map<string, Adapter>();
    const close = async () => {
      await Promise.all([...adapters.values()].map((adapter) => adapter[Symbol.asyncDispose]()));
    };
    return openOrClose(close, async () => {
      for (const { skill, unreachable } of loaded) {
        refuseUnknownServices(skill, services);
        refuseUnreachableServices(skill, context);
        adapters.set(skill.id, await openFor(skill, context, programs));
        if (unreachable !== null) throw unreachable;
      }
      const { containment } = context.sandbox;
      const stamps = new Map(skills.map((skill) => [skill.id, containmentStamp(skill, containment)]));
      return {
        execute: async ({ deadlineMs, subject, case: { task } }, signal) => {
          const adapter = adapters.get(subject.skillId) as Adapter;
          return adapter.call(task.inputData, { deadlineMs, signal, document: task.document });
        },
        checkOutput: await outputCheck(skills),
        stampOf: (skillId) => stamps.get(skillId) ?? null,
        warnings: await checkInputs(skills, tasks),
        [Symbol.asyncDispose]: close,
      };
    });
  },
};

/** The way to a skill. With programs of the suite it is only known when they run; whatever can be checked is checked now. */
async function openFor(
  skill: UnitSkill,
  context: AdapterContext,
  programs: OpenPrograms | null,
): Promise<Adapter> {
  const adapter = await openAdapter(skill, context);
  if (programs === null) return adapter;
  await adapter[Symbol.asyncDispose]();
  return behindPrograms(skill, context, programs);
}

function behindPrograms(skill: UnitSkill, context: AdapterContext, programs: OpenPrograms): Adapter {
  /** By the ports it reaches: those of services of single calls are never the same twice. */
  let lasting: { adapter: Promise<Adapter>; ports: string } | null = null;
  const open = (running: RunningPrograms) =>
    openAdapter(filledIn(skill, running), {
      ...context,
      reads: [...(context.reads ?? []), running.workFolder],
      sockets: running.sockets,
    });

  async function callLasting(input: Json, limits: CallLimits, running: RunningPrograms) {
    const ports = JSON.stringify([[...running.ports], [...running.sockets]]);
    if (lasting?.ports !== ports) {
      const old = lasting?.adapter;
      lasting = { adapter: open(running), ports };
      await (await old)?.[Symbol.asyncDispose]();
    }
    return (await lasting.adapter).call(input, limits);
  }

  return {
    call: (input, limits) =>
      programs.during(limits.signal, async (running) => {
        if (!programs.isPerCell) return callLasting(input, limits, running);
        await using adapter = await open(running);
        return await adapter.call(input, limits);
      }),
    async [Symbol.asyncDispose]() {
      await (await lasting?.adapter)?.[Symbol.asyncDispose]();
    },
  };
}

/** The texts of a skill's adapter that may name the port of a service. */
function servedTexts({ adapter: { entrypoint, config } }: UnitSkill): string[] {
  const base = "baseUrl" in config && config.baseUrl !== undefined ? [config.baseUrl] : [];
  return [entrypoint, ...base, ...Object.values(config.env)];
}

function filledIn(skill: UnitSkill, { ports, workFolder }: RunningPrograms): UnitSkill {
  const { entrypoint, config } = skill.adapter;
  const fill = (text: string) => withServicePorts(text, (name) => ports.get(name) ?? 0);
  const variables = Object.entries(config.env).map(([name, value]) => [name, fill(value)]);
  const env = { ...Object.fromEntries(variables), [workFolderVariable]: workFolder };
  const filled =
    "baseUrl" in config && config.baseUrl !== undefined
      ? { ...config, env, baseUrl: fill(config.baseUrl) }
      : { ...config, env };
  return { ...skill, adapter: { ...skill.adapter, entrypoint: fill(entrypoint), config: filled } };
}

/** In a closed network only HTTP skills are led to services. */
function refuseUnreachableServices(skill: UnitSkill, { sandbox }: AdapterContext): void {
  const [name] = servedTexts(skill).flatMap(servicesNamedIn);
  if (name === undefined || skill.adapter.type === "http" || sandbox.startsNothing === true) return;
  if (sandbox.containment.network === "open") return;
  throw new UserError(
    "sandbox-unavailable",
    `E_SANDBOX_UNAVAILABLE: the network of this run is closed, so skill ${skill.id} cannot reach the service ${name}. Nothing was run.`,
    { path: skill.manifest, jsonPath: "$.entrypoint", hint: "run with --network open" },
  );
}

function refuseUnknownServices(skill: UnitSkill, services: readonly string[]): void {
  for (const name of servedTexts(skill).flatMap(servicesNamedIn)) {
    if (services.includes(name)) continue;
    const has = services.length === 0 ? "which this suite does not have" : "which this suite calls otherwise";
    throw new UserError("adapter-invalid", `skill ${skill.id} needs the service ${name}, ${has}`, {
      path: skill.manifest,
      jsonPath: "$.entrypoint",
      hint: services.length === 0 ? "add it to `services` of the suite" : didYouMean(name, services),
    });
  }
}
