import type { LoadedBench } from "../../../contract/planbench-file.ts";
import { jsonPath } from "../../../shared/json/locations.ts";
import { UserError } from "../../../shared/user-error.ts";

/** How a header names a variable of the environment. */
export const headerVariable = /\$\{env:([A-Za-z_][A-Za-z0-9_]{0,127})\}/g;

export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

export interface FilledHeaders {
  headers: Record<string, string>;
  /** The values that were put in: nothing written may show them. */
  secrets: string[];
}

/** The headers of a bench with the values of the variables they name. One that is not set is a user error. */
export function fillHeaders(
  headers: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
  { shown }: Pick<LoadedBench, "shown">,
): FilledHeaders {
  const secrets: string[] = [];
  const filled = Object.entries(headers).map(([name, value]) => {
    const location = { path: shown, jsonPath: jsonPath(["target", "headers", name]) };
    const text = value.replace(headerVariable, (_, variable: string) => {
      const secret = env[variable];
      if (secret === undefined || secret === "")
        throw new UserError("secret-missing", `${shown}: the environment variable ${variable} is not set`, {
          ...location,
          hint: `export ${variable}=… and run again`,
        });
      if (!isHeaderValue(secret))
        throw new UserError(
          "benchmark-invalid",
          `${shown}: ${variable} contains a line break or another character that is not allowed in a header`,
          location,
        );
      secrets.push(secret);
      return secret;
    });
    return [name, text];
  });
  return { headers: Object.fromEntries(filled), secrets };
}
