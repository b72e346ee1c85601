import { commonOutput } from "../../engine/request.ts";
import { makeRunContext } from "../../engine/run-context.ts";
import { calibrateJudge } from "../../levels/trigger/calibrate-judge.ts";
import { triggerPlan } from "../../levels/trigger/request.ts";
import { systemClock } from "../../shared/async/clock.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { listenForInterrupt } from "../io/interrupt.ts";
import { loadRunConfig } from "../io/load-command-config.ts";
import { calibrationLines } from "../output/calibration-lines.ts";
import type { CalibrateFlags } from "./declare-levels.ts";
import { triggerContext } from "./trigger-context.ts";

/** `trigger calibrate`: how far a judge agrees with human labels; stored for the runs that it judges. */
export async function calibrateCommand(flags: CalibrateFlags, io: CommandIo): Promise<ExitCode> {
  const loaded = await loadRunConfig(io);
  const { env, cwd } = io;
  const { record, replay, catalog = ["./skills"] } = flags;
  const output = commonOutput(flags, loaded, cwd);
  const facts = makeRunContext({ ...loaded, env, cwd, output, record, replay });
  using interrupt = listenForInterrupt();
  const calibrated = await calibrateJudge({
    gold: flags.gold,
    options: triggerPlan({ ...flags, catalog }, loaded, cwd),
    context: triggerContext(facts, flags),
    concurrency: output.concurrency,
    clock: systemClock,
    signal: interrupt.signal,
  });
  const { calibration, isKept, minKappa } = calibrated;
  io.result(calibrated, calibrationLines(calibrated, io.color));
  if (calibration.unanswered > 0)
    io.warn(`${calibration.unanswered} of ${calibration.labels} labels got no valid answer`);
  if (!isKept) {
    io.note("no verdict: too few valid answers to rate this judge; nothing was saved");
    return 3;
  }
  if (calibration.kappa !== null && calibration.kappa < minKappa)
    io.note(`this judge cannot pass queries: kappa is below ${minKappa}`);
  return 0;
}
