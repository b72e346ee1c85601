import type { Command } from "commander";
import { diagnosticSeverities, profiles } from "../../contract/findings.ts";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { skillKinds } from "../../contract/skill-facts.ts";
import { commonRows, containmentRows } from "../../engine/common-options.ts";
import { doctorFormats } from "../../operations/doctor/doctor-report.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";

const doctorTable = {
  paths: row.texts("[paths...]", "skills, or folders that contain skills", {
    default: [],
    defaultText: "./skills, skills.roots and the machine",
  }),
  profile: row.choice("--profile <profile>", "how strictly formats are checked: strict, lenient", {
    choices: profiles,
    defaultText: "strict",
  }),
  kind: row.choices("--kind <kinds...>", skillKinds.join(", "), { choices: skillKinds, defaultText: "all" }),
  failOn: row.choice("--fail-on <severity>", "exit 1 at this severity or above: error, warning", {
    choices: diagnosticSeverities,
    defaultText: "error",
  }),
  fix: row.switch("--fix", "apply safe fixes, show them as a diff, and report what is left"),
  machine: row.switch("--machine", "check this machine; with paths, check those skills too"),
  format: row.choices("--format <formats...>", `${doctorFormats.join(", ")}; several are written to files`, {
    choices: doctorFormats,
    defaultText: "text",
  }),
  outputDir: row.text("--output-dir <dir>", "folder for written files", { defaultText: "./reports" }),
  sandbox: row.choice("--sandbox <level>", "containment a run would require; exit 2 if it cannot be proven", {
    choices: containmentRows.sandbox.choices,
  }),
  store: commonRows.store,
} satisfies OptionTable;

export type DoctorFlags = Options<typeof doctorTable>;

export function declareDoctor(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "doctor",
    "Check skills against their formats, and this machine, without running skills. Exit 1 if there are problems",
    [
      "eval-skills doctor ./skills",
      "eval-skills doctor ./skills/my_skill --profile lenient --fail-on warning",
      "eval-skills doctor ./skills --fix",
      "eval-skills doctor ./skills --format text sarif --output-dir ./reports",
      "eval-skills doctor --machine --sandbox strict",
    ],
  );
  addAction(command, doctorTable, start, async (options, io) =>
    (await import("./doctor.ts")).doctorCommand(options, io),
  );
}
