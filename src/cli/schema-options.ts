import { Argument, type Command } from "commander";
import { schemaNames } from "../spec/schema-names.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { withChoices } from "./known-values.ts";
import { parseChoice } from "./option-values.ts";

/** Declares `schema`. */
export function declareSchema(program: Command, start: Start): void {
  const command = declareCommand(program, "schema", "Print the JSON Schema of a file", [
    "eval-skills schema skill",
    "eval-skills schema benchmark > benchmark.schema.json",
    "eval-skills schema",
  ]);
  const name = withChoices(
    new Argument("[name]", `${schemaNames.join(", ")} (default: all of them)`).argParser((text: string) =>
      parseChoice(text, "schema", schemaNames),
    ),
    schemaNames,
  );
  command.addArgument(name).action(async (which?: (typeof schemaNames)[number]) => {
    await start(command, async (io) => (await import("./schema.ts")).schemaCommand(which ?? null, io));
  });
}
