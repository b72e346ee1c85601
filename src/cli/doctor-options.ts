import { Argument, type Command } from "commander";
import { type SandboxLevel, sandboxLevels } from "../contract/sandbox-level.ts";
import { UserError } from "../contract/user-error.ts";
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
    .usage("[options]")
    .addArgument(new Argument("[paths...]").argParser(refusePath))
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

/** Skills are looked at by other commands so far; saying nothing about a path that was named would pass for "all is well". */
function refusePath(path: string): never {
  throw new UserError("usage", `doctor checks the machine, and takes no path such as ${path}`, {
    hint: `eval-skills audit ${path} checks a skill; eval-skills eval --skills ${path} --dry-run checks that it can run`,
  });
}
