import type { CallLimits, Evidence, Outcome } from "../contract/outcome.ts";
import type { Sandbox, SkillCommand } from "../contract/sandbox.ts";
import { withinMs } from "../shared/async/abort.ts";
import { systemClock } from "../shared/async/clock.ts";
import type { Chatter } from "./process-reader.ts";
import { ProcessSession, type Reply } from "./process-session.ts";
import { farewellMs } from "./subprocess.ts";
import { type HostReply, type HostRequest, type LastingCodec, lastingToolCodec } from "./tool-codec.ts";

/** A state of a skill's files. */
interface SkillState {
  /** The folder, absolute. */
  dir: string;
  digest: string;
}

interface Host extends SkillState {
  session: ProcessSession;
  codec: LastingCodec;
  /** Whether it has not served a call yet. */
  isNew: boolean;
  /** What it was started with: it only serves calls that need the same. */
  key: string;
}

/** One call, and the process that it needs. */
export interface HostCall {
  skill: SkillState;
  command: Omit<SkillCommand, "deadlineMs">;
  request: HostRequest;
  limits: CallLimits;
  toOutcome(reply: Reply, chatter: Chatter, evidence: Evidence, deadlineMs: number): Outcome;
}

export interface ToolHostPool extends AsyncDisposable {
  call(call: HostCall): Promise<Outcome>;
}

interface PoolOptions {
  sandbox: Sandbox;
  maxOutputBytes: number;
  /** Beyond this number the least recently used host is ended. */
  maxIdle?: number;
}

/**
 * Persistent hosts, each serving one call at a time: as many as there are calls at once. A host that timed out, ended, or
 * whose state a tool changed is not reused, nor is one whose files have changed since.
 */
export function toolHostPool({ sandbox, maxOutputBytes, maxIdle = 16 }: PoolOptions): ToolHostPool {
  /** The most recently used is last. */
  const idle: Host[] = [];
  const all = new Set<Host>();
  /** Folder → digest in the latest call. */
  const newest = new Map<string, string>();
  let isClosed = false;

  function start(key: string, { skill: { dir, digest }, command }: HostCall): Host {
    const process = sandbox.start({ ...command, deadlineMs: null });
    const codec = lastingToolCodec(systemClock);
    const session = new ProcessSession(process, maxOutputBytes, codec);
    const host: Host = { session, codec, isNew: true, key, dir, digest };
    all.add(host);
    void process.exited.then(() => {
      all.delete(host);
      forget(host);
    });
    return host;
  }

  async function take(hostCall: HostCall): Promise<Host> {
    const { skill, command } = hostCall;
    if (newest.get(skill.dir) !== skill.digest) {
      newest.set(skill.dir, skill.digest);
      for (const host of idle.filter(isStale)) void end(host);
    }
    const key = JSON.stringify([skill.digest, command]);
    for (;;) {
      const host = idle.findLast((other) => other.key === key);
      if (host === undefined) return start(key, hostCall);
      forget(host);
      // Output since the last call belongs to no call; on the reply descriptor there must be none.
      if (host.session.takeChatter().stray.length === 0) return host;
      await host.session.process.kill();
    }
  }

  async function call(hostCall: HostCall): Promise<Outcome> {
    const { request, toOutcome } = hostCall;
    const { deadlineMs, signal } = hostCall.limits;
    const host = await take(hostCall);
    let stays = false;
    try {
      const began = systemClock.monotonic();
      const question = { id: 0, input: { ...request }, deadlineMs, signal, isLast: false };
      const reply = await host.session.ask(question);
      const evidence = measureTimes(host, began, systemClock.monotonic());
      // What was printed before the answer may be read only after it.
      await new Promise(setImmediate);
      const chatter = host.session.takeChatter();
      stays = isWell(reply) && chatter.stray.length === 0;
      return toOutcome(reply, chatter, evidence, deadlineMs);
    } finally {
      host.isNew = false;
      if (stays && !isClosed) keep(host);
      else await host.session.process.kill();
    }
  }

  function keep(host: Host): void {
    if (!all.has(host)) return;
    idle.push(host);
    const [oldest] = idle;
    if (isStale(host)) void end(host);
    else if (idle.length > maxIdle && oldest !== undefined) void end(oldest);
  }

  function isStale({ dir, digest }: Host): boolean {
    return newest.get(dir) !== digest;
  }

  function forget(host: Host): void {
    const index = idle.indexOf(host);
    if (index !== -1) idle.splice(index, 1);
  }

  async function end(host: Host): Promise<void> {
    forget(host);
    const { process } = host.session;
    process.stdin.end();
    if ((await withinMs(process.exited, farewellMs)) === null) await process.terminate();
  }

  async function close(): Promise<void> {
    isClosed = true;
    await Promise.all(
      [...all].map((host) => (idle.includes(host) ? end(host) : host.session.process.kill())),
    );
  }

  return { call, [Symbol.asyncDispose]: close };
}

/** How long a call took; the start of a new host is counted separately. */
function measureTimes({ isNew, codec: { readyAt } }: Host, began: number, ended: number): Evidence {
  if (!isNew || readyAt === null) return { latencyMs: ended - began };
  return { latencyMs: ended - readyAt, startupMs: readyAt - began };
}

/** Whether a host can be reused after this reply. A tool that failed does not harm it. */
function isWell(reply: Reply): boolean {
  return reply.kind === "result" && (reply.output as unknown as HostReply).last !== true;
}
