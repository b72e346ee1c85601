import { join } from "node:path";
import { type Diagnostic, messageWithoutLocation } from "../contract/findings.ts";
import { pluralize } from "../shared/text/phrases.ts";
import { type ErrorCode, UserError } from "../shared/user-error.ts";
import type { FoundFolder } from "./discover/discover-skills.ts";
import { isInstructions } from "./folder/skill-files.ts";
import { adapterConfigName } from "./unit/read-adapter-config.ts";

/** A finding in one line that names the file as the user did: `skills/calc/skill.json:3:5: …`. */
export function findingLine(finding: Diagnostic, dir: string): string {
  const { code, file, line, column, message } = finding;
  if (file === ".") return message;
  const location = [join(dir, file), ...(line === null ? [] : [line, column ?? 1])].join(":");
  const isSyntax = code === "SKD02" && line !== null;
  return `${location}: ${isSyntax ? "invalid JSON: " : ""}${messageWithoutLocation(finding)}`;
}

/** The error code of a finding for a caller that needs the skill. */
export function findingErrorCode({ file, code }: Diagnostic): ErrorCode {
  return file === adapterConfigName || code === "SKU04" ? "adapter-invalid" : "skill-invalid";
}

/** The error for a caller that needs a skill with these errors: the one to fix first, and how many more there are. */
export function skillRefusal(
  errors: readonly [Diagnostic, ...Diagnostic[]],
  { dir, shown }: Pick<FoundFolder, "dir" | "shown">,
): UserError {
  const first = mostUrgent(errors);
  const more = errors.length - 1;
  const rest = `\`eval-skills doctor ${shown}\` shows ${pluralize(more, "more error")}`;
  return new UserError(findingErrorCode(first), findingLine(first, dir), {
    path: join(dir, first.file),
    jsonPath: first.jsonPath ?? undefined,
    hint: more === 0 ? first.hint : `${first.hint}${first.hint.endsWith("?") ? "" : ";"} ${rest}`,
  });
}

/** The error to fix first. */
export function mostUrgent(errors: readonly [Diagnostic, ...Diagnostic[]]): Diagnostic {
  const [first] = [...errors].sort((a, b) => urgency(a) - urgency(b)) as [Diagnostic];
  return first;
}

/** A misspelt key first: it often causes other errors. Then the manifest, then the files beside it. */
function urgency({ code, file }: Diagnostic): number {
  if (code === "SKU06") return 0;
  if (isInstructions(file)) return 4;
  return code === "SKU04" ? 3 : file === adapterConfigName ? 2 : 1;
}
