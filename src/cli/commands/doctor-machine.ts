import { resolve } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { Config } from "../../contract/config.ts";
import type { Diagnosis } from "../../contract/findings.ts";
import { diagnose } from "../../operations/doctor/diagnose.ts";
import { chooseLevel, requestedContainment } from "../../sandbox/choose-level.ts";
import { proveContainment } from "../../sandbox/prove-containment.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { DoctorFlags } from "./doctor-options.ts";

/** The state of this machine, as in the document. */
export interface MachineReport {
  level: string;
  checks: readonly Diagnosis[];
  probe: readonly object[];
}

/** Checks that this machine has what runs need. */
export async function lookAtMachine(flags: DoctorFlags, io: CommandIo): Promise<MachineReport> {
  const load = () => loadConfig(io);
  // With the network closed, so that network isolation is tested too.
  const proof = await proveContainment({ env: io.env, network: "none", isThorough: true });
  const { level = "auto" } = { level: flags.sandbox };
  chooseLevel(requestedContainment({ level, floors: [], network: null, allowNetwork: [] }), proof);
  const { store } = await configOrDefaults(load);
  const checks = await diagnose({ ...io, store: resolve(io.cwd, store), loadConfig: load, proof });
  return { level: proof.level, checks, probe: proof.checks };
}

/** Whether the machine has a problem to fix. */
export function hasProblems({ checks }: MachineReport): boolean {
  return checks.some(({ state }) => state === "bad");
}

/** A broken configuration is one line of the report; the other checks still run. */
export async function configOrDefaults(load: () => ReturnType<typeof loadConfig>): Promise<Config> {
  try {
    return (await load()).config;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return Config.parse({});
  }
}
