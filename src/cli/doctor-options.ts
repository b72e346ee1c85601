import type { Command } from "commander";
import { type SandboxLevel, sandboxLevels } from "../contract/sandbox-level.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { choiceOption, storeOption } from "./declare-option.ts";

/** What was typed after `doctor`. */
export interface DoctorFlags {
  machine?: true;
  sandbox?: "auto" | SandboxLevel;
  store?: string;
}

/** Declares `doctor`. */
export function declareDoctor(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "doctor",
    "Check this machine: containment, programs, store, keys, leftovers. Exit 1 if something is to be mended",
    ["eval-skills doctor", "eval-skills doctor --sandbox strict", "eval-skills doctor --json"],
  );
  command
    .option("--machine", "the machine alone (this version checks nothing else)")
    .addOption(
      choiceOption("--sandbox <level>", "the level a run would demand; exit 2 where it cannot be proven", [
        "auto",
        ...sandboxLevels,
      ]),
    )
    .addOption(storeOption());
  command.action(async () => {
    const flags = command.opts<DoctorFlags>();
    await start(command, async (io) => (await import("./doctor.ts")).doctorCommand(flags, io));
  });
}
