import type { Command } from "commander";
import { diagnosticSeverities, profiles } from "../contract/diagnostic.ts";
import { doctorFormats } from "../contract/doctor-report.ts";
import { type Options, type OptionTable, row } from "../contract/option-table.ts";
import { skillKinds } from "../contract/skill-kind.ts";
import { commonRows, containmentRows } from "../run/common-options.ts";
import { addAction, declareCommand, type Start } from "./declare-command.ts";

const doctorTable = {
  paths: row.texts("[paths...]", "skills, or folders that hold skills", {
    default: [],
    defaultText: "./skills, skills.roots and the machine",
  }),
  profile: row.choice("--profile <profile>", "how formats are read: strict, lenient", {
    choices: profiles,
    defaultText: "strict",
  }),
  kind: row.choices("--kind <kinds...>", skillKinds.join(", "), { choices: skillKinds, defaultText: "all" }),
  failOn: row.choice("--fail-on <severity>", "exit 1 from this severity on: error, warning", {
    choices: diagnosticSeverities,
    defaultText: "error",
  }),
  fix: row.switch("--fix", "fix what can be fixed without loss, show it as a diff, and tell what is left"),
  machine: row.switch("--machine", "the machine: alone, or with paths besides them"),
  format: row.choices("--format <formats...>", `${doctorFormats.join(", ")}; several go to files`, {
    choices: doctorFormats,
    defaultText: "text",
  }),
  outputDir: row.text("--output-dir <dir>", "where files go", { defaultText: "./reports" }),
  sandbox: row.choice("--sandbox <level>", "the level a run would demand; exit 2 where it cannot be proven", {
    choices: containmentRows.sandbox.choices,
  }),
  store: commonRows.store,
} satisfies OptionTable;

export type DoctorFlags = Options<typeof doctorTable>;

/** Declares `doctor`. */
export function declareDoctor(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "doctor",
    "Check skills against their formats, and this machine; run nothing. Exit 1 if something is to be fixed",
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
