import { chmodSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Config } from "../contract/config.ts";
import { makeFolder, nearPath } from "../shared/files/paths.ts";
import { readTextFile } from "../shared/files/read-text-file.ts";
import { writeWholeFile } from "../shared/files/whole-file.ts";
import type { Json, JsonObject } from "../shared/json/json.ts";
import { dropUnknownKeys, knownKeys } from "../shared/json/known-keys.ts";
import { unwritable } from "../shared/user-error.ts";
import {
  findProjectFile,
  projectFileNames,
  readConfigFile,
  type UserFolders,
  userConfigFile,
} from "./config-files.ts";
import { checkConfig } from "./load-config.ts";
import { mergeMaps } from "./merge-config.ts";
import { checkProjectRules } from "./project-rules.ts";

type Path = readonly string[];

/** Writes one value into the user's own file and returns the path of that file. */
export async function writeUserConfig(user: UserFolders, path: Path, value: Json): Promise<string> {
  const file = userConfigFile(user);
  const { text, values } = await changedFile(file, path, value);
  checkWhole(values, file);
  write(file, () => {
    makeFolder(dirname(file), 0o700);
    chmodSync(dirname(file), 0o700);
    writeWholeFile(file, text, { mode: 0o600 });
  });
  return file;
}

/** Writes one value into the project's file, which is created where there is none, and returns its path. */
export async function writeProjectConfig(
  { cwd, configPath }: { cwd: string; configPath?: string | undefined },
  path: Path,
  value: Json,
): Promise<string> {
  const file = findProjectFile(cwd, configPath) ?? join(cwd, projectFileNames[0]);
  const shown = nearPath(file, cwd);
  const { text, values } = await changedFile(file, path, value);
  checkProjectRules(values, { cwd, file, shownPath: shown });
  checkWhole(values, shown);
  write(shown, () => writeWholeFile(file, text));
  return shown;
}

/** A configuration file with one value changed; everything else in it stays, comments too. */
async function changedFile(
  file: string,
  path: Path,
  value: Json,
): Promise<{ text: string; values: JsonObject }> {
  const before = existsSync(file) ? await readChecked(file) : "";
  const { isCollection, parseDocument } = await import("yaml");
  const document = parseDocument(before);
  for (let length = 1; length < path.length; length++) {
    const group = path.slice(0, length);
    if (document.hasIn(group) && !isCollection(document.getIn(group, true))) document.deleteIn(group); // `llm:`
  }
  document.setIn(path, value);
  const values = document.toJS() as JsonObject;
  const text = file.endsWith(".json")
    ? `${JSON.stringify(values, null, 2)}\n`
    : document.toString({ lineWidth: 0 });
  return { text, values };
}

/** The text of a file, once it is known to be harmless. */
async function readChecked(file: string): Promise<string> {
  await readConfigFile(file);
  return readTextFile(file, { code: "config-invalid", capBytes: 1024 * 1024 });
}

function checkWhole(values: JsonObject, file: string): void {
  const known = dropUnknownKeys(values, knownKeys(Config)) as JsonObject;
  checkConfig(mergeMaps(Config.parse({}) as JsonObject, known), file);
}

function write(file: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw unwritable(file, error);
  }
}
