import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { HarnessFault } from "../../contract/cause.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import {
  type RunningPrograms,
  type SuitePrograms,
  workFolderVariable,
} from "../../contract/suite-programs.ts";
import { neverAborted, unlessAborted } from "../../shared/async/abort.ts";
import { type Clock, systemClock } from "../../shared/async/clock.ts";
import { findInterpreter } from "../../shared/files/find-interpreter.ts";
import { UserError } from "../../shared/user-error.ts";
import { findCommand, type ProgramCommand } from "./program-command.ts";
import { type ProgramFailure, runToEnd } from "./run-to-end.ts";
import { type NamedService, type RunningService, startService } from "./service-process.ts";

/** The programs of one suite, of any level. They are started with the first cell, and stopped with the run, however it ends. */
export interface OpenPrograms extends AsyncDisposable {
  /** Whether every call has services of its own. */
  readonly isPerCell: boolean;
  /** Calls a skill when everything is there. What a service wrote meanwhile is kept with a failure. */
  during(signal: AbortSignal, call: (running: RunningPrograms) => Promise<Outcome>): Promise<Outcome>;
  /** Stops and clears up; says what went wrong with that. */
  finish(): Promise<readonly string[]>;
}

export interface ProgramsContext {
  /** The file of the suite. */
  file: string;
  sandbox: Sandbox;
  env: NodeJS.ProcessEnv;
  clock?: Clock;
}

/** Checks the programs of a suite, and starts none yet; null where it has none. */
export async function openPrograms(
  { services = {}, setup, teardown }: SuitePrograms,
  context: ProgramsContext,
): Promise<OpenPrograms | null> {
  const find = (text: string, jsonPath: string) => findCommand(text, { ...context, jsonPath });
  const findAll = async (texts: string | readonly string[] | undefined, name: string) => {
    const list = texts === undefined ? [] : typeof texts === "string" ? [texts] : texts;
    const found: ProgramCommand[] = [];
    for (const [at, text] of list.entries())
      found.push(await find(text, typeof texts === "string" ? `$.${name}` : `$.${name}[${at}]`));
    return found;
  };
  const named: NamedService[] = [];
  for (const [name, service] of Object.entries(services))
    named.push({ name, service, command: await find(service.command, `$.services.${name}.command`) });
  const before = await findAll(setup, "setup");
  const after = await findAll(teardown, "teardown");
  if (named.length + before.length + after.length === 0) return null;
  const bridgeNode = await bridgeNodeFor(named, context);
  return makePrograms({ services: named, before, after, bridgeNode }, context);
}

/** In a closed network every process has one of its own: a bridge leads into that of a service, and needs a Node there. */
async function bridgeNodeFor(
  [first]: readonly NamedService[],
  { file, sandbox, env }: ProgramsContext,
): Promise<string | null> {
  if (first === undefined || sandbox.containment.network === "open" || sandbox.startsNothing === true)
    return null;
  const canReach = (path: string) => sandbox.canReach?.(path) ?? true;
  if (canReach(process.execPath)) return process.execPath;
  const { path } = await findInterpreter("node", dirname(file), env, canReach);
  if (path !== null) return path;
  throw new UserError(
    "sandbox-unavailable",
    `E_SANDBOX_UNAVAILABLE: services in a closed network need Node inside the sandbox. Nothing was run.`,
    {
      ...{ path: file, jsonPath: `$.services.${first.name}` },
      hint: "install Node under /usr or /opt, or run with --network open",
    },
  );
}

interface FoundPrograms {
  services: readonly NamedService[];
  before: readonly ProgramCommand[];
  after: readonly ProgramCommand[];
  bridgeNode: string | null;
}

type Fault = ProgramFailure & { cause: HarnessFault };

function makePrograms(
  { services, before, after, bridgeNode }: FoundPrograms,
  { sandbox, clock = systemClock }: ProgramsContext,
): OpenPrograms {
  const isPerCell = services.some(({ service }) => service.perCell === true);
  let workFolder: string | null = null;
  let begun: Promise<Fault | null> | null = null;
  let isFinished = false;
  /** The services that serve all cells, by name: each is started again where it has ended. */
  const shared = new Map<string, Promise<RunningService | ProgramFailure>>();

  async function setUp(signal: AbortSignal): Promise<Fault | null> {
    workFolder = mkdtempSync(join(tmpdir(), "eval-skills-suite-"));
    for (const command of before) {
      const failure = await runToEnd(command, { sandbox, workFolder, signal });
      if (failure !== null) return { ...failure, message: `setup ${failure.message}`, cause: "setup-failed" };
    }
    return null;
  }

  const start = (named: NamedService, signal: AbortSignal) => {
    const reads = workFolder === null || before.length === 0 ? [] : [workFolder];
    const env = { [workFolderVariable]: workFolder ?? "" };
    return startService(named, { sandbox, clock, env, reads, signal, bridgeNode });
  };

  async function sharedService(
    named: NamedService,
    signal: AbortSignal,
  ): Promise<RunningService | ProgramFailure> {
    const known = shared.get(named.name);
    const found = known === undefined ? null : await known;
    if (known !== undefined && found !== null && "port" in found && !found.hasEnded()) return found;
    // Cells that wait for it at the same time wait for one start.
    if (shared.get(named.name) === known) shared.set(named.name, start(named, signal));
    return shared.get(named.name) ?? start(named, signal);
  }

  async function allServices(
    signal: AbortSignal,
  ): Promise<{ running: RunningService[]; failure: ProgramFailure | null }> {
    const running: RunningService[] = [];
    for (const named of services) {
      const isOwn = named.service.perCell === true;
      const found = await (isOwn ? start(named, signal) : sharedService(named, signal));
      if (!("port" in found)) return { running, failure: found };
      running.push(found);
    }
    return { running, failure: null };
  }

  async function stopOwn(running: readonly RunningService[]): Promise<void> {
    const own = new Set(services.filter(({ service }) => service.perCell === true).map(({ name }) => name));
    await Promise.all(running.filter(({ name }) => own.has(name)).map((service) => service.stop()));
  }

  async function during(
    signal: AbortSignal,
    call: (running: RunningPrograms) => Promise<Outcome>,
  ): Promise<Outcome> {
    signal.throwIfAborted();
    begun ??= setUp(signal);
    const fault = await unlessAborted(begun, signal);
    if (fault !== null) return invalidOutcome(fault);
    const { running, failure } = await allServices(signal);
    try {
      signal.throwIfAborted();
      if (failure !== null) return invalidOutcome({ ...failure, cause: "service-failed" });
      for (const service of running) service.takeOutput();
      const ports = new Map(running.map(({ name, port }) => [name, port]));
      const sockets = new Map(
        running.flatMap(({ port, socketPath }) => (socketPath === null ? [] : [[port, socketPath]])),
      );
      const outcome = await call({ ports, sockets, workFolder: workFolder ?? "" });
      return outcome.status === "answered" ? outcome : await withOutput(outcome, running);
    } finally {
      await stopOwn(running);
    }
  }

  async function finish(): Promise<readonly string[]> {
    if (isFinished) return [];
    isFinished = true;
    const found = await Promise.all(shared.values());
    await Promise.all(found.map((service) => ("port" in service ? service.stop() : undefined)));
    if (workFolder === null) return [];
    const warnings: string[] = [];
    for (const command of after) {
      const failure = await runToEnd(command, { sandbox, workFolder, signal: neverAborted });
      if (failure !== null)
        warnings.push([`teardown ${failure.message}`, failure.output.trim()].join("\n").trim());
    }
    await rm(workFolder, { recursive: true, force: true });
    return warnings;
  }

  return {
    isPerCell,
    during,
    finish,
    async [Symbol.asyncDispose]() {
      await finish();
    },
  };
}

const endingMs = 100;

function invalidOutcome({ cause, message, output }: Fault): Outcome {
  return { status: "invalid", cause, message, latencyMs: 0, ...(output !== "" && { stderrTail: output }) };
}

/** What services wrote while a call failed, below what the skill wrote. */
async function withOutput(outcome: Outcome, running: readonly RunningService[]): Promise<Outcome> {
  // A connection breaks before we are told that its program has ended.
  const mayHaveEnded = outcome.status === "failed" && outcome.cause === "connection";
  if (mayHaveEnded) await Promise.all(running.map((service) => service.endsWithin(endingMs)));
  const written = running.flatMap((service) => {
    const text = service.takeOutput().trimEnd();
    const end = service.hasEnded() ? "\n(the service has ended)" : "";
    return text === "" && end === "" ? [] : [`[service ${service.name}]\n${text}${end}`];
  });
  if (written.length === 0) return outcome;
  const own = outcome.stderrTail === undefined || outcome.stderrTail === "" ? [] : [outcome.stderrTail];
  return { ...outcome, stderrTail: [...own, ...written].join("\n") };
}
