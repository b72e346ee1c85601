import { describeContainment } from "../reporters/describe-containment.ts";
import { type EvalSession, evalSessions } from "../run/eval-session.ts";
import type { OutputOptions, PlanOptions } from "../run/request.ts";
import type { RunOutput } from "../run/run-levels.ts";
import type { Surroundings } from "../run/surroundings.ts";
import { unchosenRouter } from "../run/triggering/unchosen-router.ts";
import { carrySessionOut, type SessionOrder } from "./carry-session-out.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import { warnOfIdleFlags } from "./warn-of-idle-flags.ts";

type EvalOrder = SessionOrder<PlanOptions, EvalSession["ready"], Surroundings>;

/** A run of `eval` or `run` as the command line asks for it: a new plan, or an old run to resume. */
export interface RunOrder
  extends Pick<EvalOrder, "plan" | "resume" | "rescore" | "context" | "otlp" | "telemetry" | "show"> {
  output: RunOutput & Pick<OutputOptions, "formats">;
  /** Called when everything is prepared. */
  onReady?(session: EvalSession): void;
}

/** Runs `eval` or `run` from its plan to its exit code. */
export function carryOut(order: RunOrder, io: CommandIo): Promise<ExitCode> {
  const announceAll = (session: EvalSession) => {
    order.onReady?.(session);
    announce(session, order.context, io);
  };
  return carrySessionOut(
    { ...order, command: "eval", sessions: evalSessions, kind: "unit", announce: announceAll },
    io,
  );
}

/** What a reader should know before the first cell. */
function announce({ ready }: EvalSession, { judges }: Surroundings, io: CommandIo): void {
  const { containment } = ready.sandbox;
  if (containment.level !== "strict") io.warn(describeContainment(containment));
  const asksModel = ready.judges.length > 0 || ready.triggers?.subjects.some(({ judge }) => judge?.isPaid);
  if (!asksModel) warnOfIdleFlags(judges, io);
  const note =
    ready.triggers &&
    unchosenRouter(ready.triggers.subjects, "triggering.judge.model in eval.yaml names one");
  if (note !== null) io.note(note);
}
