import { readRun } from "../../agent-runtime/log/read-run.ts";
import type { Interrupted } from "../../engine/interrupted.ts";
import { findRun } from "../../operations/agent/find-run.ts";
import { type ReplayPart, replayParts } from "../../report/timeline/replay-lines.ts";
import { type Clock, systemClock } from "../../shared/async/clock.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { UserError } from "../../shared/user-error.ts";
import { type CommandIo, type ExitCode, exitCodeOfSignal } from "../io/command-io.ts";
import { listenForInterrupt } from "../io/interrupt.ts";
import type { AgentReplayFlags } from "./agent-options.ts";

/** `agent replay`: what happened in a run, from its log. Starts nothing. */
export async function agentReplayCommand(
  flags: AgentReplayFlags,
  io: CommandIo,
  clock: Clock = systemClock,
): Promise<ExitCode> {
  const { cwd } = io;
  const dir = findRun(flags.run, { cwd, runsDir: flags.runsDir });
  const run = readRun(dir);
  const exitCode = run.problem === null ? 0 : 3;
  const isMeant = selection(flags);
  if (io.json) {
    const events = run.events.filter(isMeant);
    const { problem, warnings } = run;
    io.result({ run_id: run.runId, run_dir: nearPath(dir, cwd), events, problem, warnings, exitCode }, "");
    return exitCode;
  }
  if (flags.step && io.ask === undefined)
    throw new UserError("usage", "--step needs a terminal", {
      hint: "remove it, or show one turn with --turn",
    });
  const parts = [...replayParts(run, { color: io.color, width: io.width, isFull: flags.full })].filter(
    (part) => part.seq === 0 || isMeant(part),
  );
  if (parts.length === 0)
    throw new UserError("usage", "no event matches --turn, --from and --to", {
      hint: `the run has ${run.events.length} events in ${Math.max(0, ...run.events.map(({ turn }) => turn))} turns`,
    });
  using interrupt = listenForInterrupt();
  const pace = choosePace(flags, io);
  let before: ReplayPart | null = null;
  for (const part of parts) {
    if (before !== null) await pace(before, part, clock, interrupt.signal);
    if (interrupt.signal.aborted) return exitCodeOfSignal[(interrupt.signal.reason as Interrupted).signal];
    io.resultPieces(part.lines.map((line) => `${line}\n`));
    before = part;
  }
  if (parts.some(({ isCut }) => isCut)) io.note("some texts are cut: --full shows them to their ends");
  return exitCode;
}

function selection({ turn, from, to }: AgentReplayFlags) {
  return (part: { seq: number; turn: number }) =>
    (turn === undefined || part.turn === turn) &&
    (from === undefined || part.seq >= from) &&
    (to === undefined || part.seq <= to);
}

type Pace = (before: ReplayPart, next: ReplayPart, clock: Clock, signal: AbortSignal) => Promise<void>;

/** In a terminal at the original speed times `--speed`, with long pauses cut short; elsewhere without pauses. */
function choosePace({ speed, step }: AgentReplayFlags, { ask, width }: CommandIo): Pace {
  const isWatched = width !== null;
  return async (before, next, clock, signal) => {
    try {
      if (step && ask !== undefined) {
        if (next.turn !== before.turn) await ask("— Enter for the next turn, Ctrl-C to end —", signal);
      } else if (isWatched && before.atMs !== null && next.atMs !== null) {
        const pause = Math.min(maxPauseMs, (next.atMs - before.atMs) / speed);
        if (pause > 0) await clock.sleep(pause, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
}

const maxPauseMs = 3000;
