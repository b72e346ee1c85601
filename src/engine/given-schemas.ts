import { resolve } from "node:path";
import { UserError } from "../shared/user-error.ts";

/** The schemas a user names with `--schema <name>=<file>`: name → absolute path. */
export function givenSchemas(typed: readonly string[], cwd: string): Record<string, string> {
  const given = new Map<string, string>();
  for (const words of typed) {
    const at = words.indexOf("=");
    if (at < 1 || at === words.length - 1)
      throw new UserError("usage", `--schema takes <name>=<file>, not ${words}`, {
        hint: "such as --schema plan=./schemas/plan.schema.json",
      });
    const name = words.slice(0, at);
    if (given.has(name)) throw new UserError("usage", `--schema names ${name} twice`);
    given.set(name, resolve(cwd, words.slice(at + 1)));
  }
  return Object.fromEntries(given);
}
