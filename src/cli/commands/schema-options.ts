import type { Command } from "commander";
import { schemaNames } from "../../config/schemas/schema-names.ts";
import { type OptionTable, row } from "../../contract/option-table.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";

const schemaTable = {
  name: row.choice("[name]", schemaNames.join(", "), { choices: schemaNames, defaultText: "all schemas" }),
} satisfies OptionTable;

export function declareSchema(program: Command, start: Start): void {
  const command = declareCommand(program, "schema", "Print the JSON Schema of a file format", [
    "eval-skills schema skill",
    "eval-skills schema benchmark > benchmark.schema.json",
    "eval-skills schema",
  ]);
  addAction(command, schemaTable, start, async ({ name = null }, io) =>
    (await import("./schema.ts")).schemaCommand(name, io),
  );
}
