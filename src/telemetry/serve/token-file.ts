import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../shared/files/paths.ts";
import { writeWholeFile } from "../../shared/files/whole-file.ts";
import { unwritable } from "../../shared/user-error.ts";

/** Where the token of a server at this port lies: beside the events, one for each port. */
export function tokenFilePath(sqlitePath: string, port: number): string {
  return join(dirname(sqlitePath), `telemetry-${port}.token`);
}

/** Writes the token where only this user can read it, until it is disposed of or the process ends. */
export function keepTokenFile(path: string, token: string): Disposable {
  try {
    makeFolder(dirname(path));
    writeWholeFile(path, `${token}\n`, { mode: 0o600 });
  } catch (error) {
    throw unwritable(path, error, "choose a file in a writable folder with --path");
  }
  const remove = () => {
    if (isStill(path, token)) rmSync(path, { force: true });
  };
  process.once("exit", remove);
  return {
    [Symbol.dispose]: () => {
      process.off("exit", remove);
      remove();
    },
  };
}

/** A later server may have replaced it by its own. */
function isStill(path: string, token: string): boolean {
  try {
    return readFileSync(path, "utf8").trim() === token;
  } catch {
    return false;
  }
}
