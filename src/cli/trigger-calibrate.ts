import { systemClock } from "../base/clock.ts";
import { calibrationLines } from "../reporters/calibration-lines.ts";
import { calibrateJudge } from "../run/triggering/calibrate-judge.ts";
import { triggerOutput, triggerPlan } from "../run/triggering/trigger-request.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { passSurroundings } from "./pass-surroundings.ts";
import { toldConfig } from "./told-config.ts";
import type { CalibrateFlags } from "./trigger-calibrate-options.ts";
import { wishesOf } from "./trigger-request.ts";
import { typedRunConfig } from "./typed-run-config.ts";

/** `trigger calibrate`: how far a judge agrees with labels of people; kept for the runs that it judges. */
export async function calibrateCommand(flags: CalibrateFlags, io: CommandIo): Promise<ExitCode> {
  const loaded = await toldConfig(io, typedRunConfig(flags));
  const wishes = { ...wishesOf({ ...flags, skills: [] }), catalog: flags.catalog ?? ["./skills"] };
  const output = triggerOutput(wishes, loaded, io.cwd);
  using interrupt = listenForInterrupt();
  const calibrated = await calibrateJudge({
    gold: flags.gold,
    pass: triggerPlan(wishes, loaded, io.cwd),
    around: passSurroundings(flags, loaded, output, io),
    concurrency: output.concurrency,
    clock: systemClock,
    signal: interrupt.signal,
  });
  const { calibration, isKept, minKappa } = calibrated;
  io.result(calibrated, calibrationLines(calibrated, io.color));
  if (calibration.unanswered > 0)
    io.warn(`${calibration.unanswered} of ${calibration.labels} labels got no usable answer`);
  if (!isKept) {
    io.note("no verdict: nothing can be said about this judge, and nothing is kept");
    return 3;
  }
  if (calibration.kappa !== null && calibration.kappa < minKappa)
    io.note(`this judge cannot let queries pass: kappa is below ${minKappa}`);
  return 0;
}
