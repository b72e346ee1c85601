import { resolve } from "node:path";
import { Config } from "../contract/config.ts";
import { UserError } from "../contract/user-error.ts";
import { diagnosisLines } from "../reporters/diagnosis-lines.ts";
import { diagnose } from "../run/diagnose.ts";
import { chooseLevel, wishedContainment } from "../sandbox/choose-level.ts";
import { proveContainment } from "../sandbox/prove-containment.ts";
import { loadConfig } from "../spec/load-config.ts";
import type { CommandIo } from "./command-io.ts";
import type { DoctorFlags } from "./doctor-options.ts";
import type { ExitCode } from "./exit-codes.ts";

/** `doctor`: how this machine stands, and what mends it. */
export async function doctorCommand(flags: DoctorFlags, io: CommandIo): Promise<ExitCode> {
  const load = () => loadConfig({ ...io, flags: { store: flags.store } });
  // With the network closed, so that its walls are leant against too.
  const proof = await proveContainment({ env: io.env, network: "none", isThorough: true });
  const { level = "auto" } = { level: flags.sandbox };
  chooseLevel(wishedContainment({ level, floors: [], network: null, allowNetwork: [] }), proof);
  const lines = await diagnose({ ...io, store: await storePath(load, io), loadConfig: load, proof });
  const exitCode = lines.some(({ state }) => state === "bad") ? 1 : 0;
  io.result({ level: proof.level, checks: lines, probe: proof.checks, exitCode }, diagnosisLines(lines, io));
  return exitCode;
}

/** What is wrong with the configuration is a line of its own; the store is looked at all the same. */
async function storePath(load: () => ReturnType<typeof loadConfig>, io: CommandIo): Promise<string> {
  try {
    return resolve(io.cwd, (await load()).config.store);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return resolve(io.cwd, Config.parse({}).store);
  }
}
