import { fileSchema } from "../../config/schemas/file-schemas.ts";
import { type SchemaName, schemaNames } from "../../config/schemas/schema-names.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";

/** `schema [name]`: the JSON Schema of a file, for editors and other programs. */
export async function schemaCommand(name: SchemaName | null, io: CommandIo): Promise<ExitCode> {
  if (name !== null) {
    const schema = fileSchema(name);
    io.result({ name, schema }, JSON.stringify(schema, null, 2));
    return 0;
  }
  const schemas = Object.fromEntries(schemaNames.map((one) => [one, fileSchema(one)]));
  io.result({ schemas }, JSON.stringify({ schemas }, null, 2));
  return 0;
}
