import { chmodSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import { knownKeys } from "../base/known-keys.ts";
import { makeFolder } from "../base/make-folder.ts";
import { dropUnknownKeys } from "../base/unknown-keys.ts";
import { writeWholeFile } from "../base/whole-file.ts";
import { Config } from "../contract/config.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import { unwritable } from "../contract/user-error.ts";
import { readConfigFile, userConfigFile } from "./config-files.ts";
import { checkConfig } from "./load-config.ts";
import { mergeMaps } from "./merge-config.ts";
import { readTextFile } from "./read-text-file.ts";

/** Writes one value into the user's own file, keeps everything else in it, comments too, and tells the file's path. */
export async function writeUserConfig(home: string, path: readonly string[], value: Json): Promise<string> {
  const file = userConfigFile(home);
  const text = existsSync(file) ? await readUserFile(file) : "";
  const { isCollection, parseDocument } = await import("yaml");
  const document = parseDocument(text);
  for (let length = 1; length < path.length; length++) {
    const group = path.slice(0, length);
    if (document.hasIn(group) && !isCollection(document.getIn(group, true))) document.deleteIn(group); // `llm:`
  }
  document.setIn(path, value);
  checkWhole(document.toJS() as JsonObject, file);
  try {
    makeFolder(dirname(file), 0o700);
    chmodSync(dirname(file), 0o700);
    writeWholeFile(file, document.toString({ lineWidth: 0 }), { mode: 0o600 });
  } catch (error) {
    throw unwritable(file, error);
  }
  return file;
}

/** The text of the file, once it is known to be harmless. */
async function readUserFile(file: string): Promise<string> {
  await readConfigFile(file);
  return readTextFile(file, { code: "config-invalid", capBytes: 1024 * 1024 });
}

function checkWhole(values: JsonObject, file: string): void {
  const known = dropUnknownKeys(values, knownKeys(Config)) as JsonObject;
  checkConfig(mergeMaps(Config.parse({}) as JsonObject, known), file);
}
