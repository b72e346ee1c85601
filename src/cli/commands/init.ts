import { existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectFileNames } from "../../config/config-files.ts";
import { makeFolder } from "../../shared/files/paths.ts";
import { writeWholeFile } from "../../shared/files/whole-file.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { UserError, unwritable } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { configSchemaPath, initialConfig } from "./initial-config.ts";

const folders = ["skills", "benchmarks", "reports"];

/** `init`: a configuration file with every key commented out, and the folders of a project. What is there already stays as it is. */
export async function initCommand(dir: string, io: CommandIo): Promise<ExitCode> {
  const root = writtenPath(dir, io.cwd);
  const created: string[] = [];
  const existing: string[] = [];
  try {
    makeFolder(root);
    const present = new Set(readdirSync(root));
    const configs = projectFileNames.filter((name) => present.has(name));
    existing.push(...configs);
    if (configs.length === 0) {
      writeWholeFile(join(root, projectFileNames[0]), initialConfig);
      created.push(projectFileNames[0]);
    }
    const schema = writtenPath(configSchemaPath, root);
    (existsSync(schema) ? existing : created).push(configSchemaPath);
    if (!existsSync(schema)) {
      const { fileSchema } = await import("../../config/schemas/file-schemas.ts");
      makeFolder(dirname(schema));
      writeWholeFile(schema, `${JSON.stringify(fileSchema("config"), null, 2)}\n`);
    }
    for (const name of folders) {
      if (present.has(name)) refuseFile(join(root, name));
      else mkdirSync(join(root, name));
      (present.has(name) ? existing : created).push(name);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unwritable(dir, error);
  }
  const lines = [...created.map((name) => `created  ${name}`), ...existing.map((name) => `kept     ${name}`)];
  io.result({ dir, created, kept: existing }, lines.map((line) => visibleText(line)).join("\n"));
  io.note("next: eval-skills create --name my_skill --from-template python_script");
  return 0;
}

function refuseFile(path: string): void {
  if (lstatSync(path).isFile())
    throw new UserError("output-unwritable", `${path} must be a folder, but is a file`, { path });
}
