import { statSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { checkDocument } from "../../shared/files/check-document.ts";
import { readJsonFile } from "../../shared/files/read-json-file.ts";
import { UserError } from "../../shared/user-error.ts";

/** The part of a selection that counts when it is read again. */
const EarlierSelection = z.looseObject({ selected: z.array(z.looseObject({ path: z.string().min(1) })) });

/** The skill paths that a `--from` means: itself, or what a list or an earlier selection in that file names. */
export function candidatePaths(from: string, cwd: string): string[] {
  const path = resolve(cwd, from);
  if (!isFile(path)) return [from];
  const content = readJsonFile(path, "skill-invalid", from);
  const document = { path: from, code: "skill-invalid" } as const;
  if (Array.isArray(content))
    return notEmpty(checkDocument(content, z.array(z.string().min(1)), document).value, from);
  if (!isSelection(content)) return [from];
  const { selected } = checkDocument(content, EarlierSelection, document).value;
  return notEmpty(
    selected.map((skill) => skill.path),
    from,
  );
}

function notEmpty(paths: string[], from: string): string[] {
  if (paths.length > 0) return paths;
  throw new UserError("nothing-to-do", `${from} contains no skills to select from`, { path: from });
}

function isSelection(content: unknown): boolean {
  return (
    typeof content === "object" && content !== null && "command" in content && content.command === "select"
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
