import { UserError } from "../../contract/user-error.ts";
import { readTextFile } from "../read-text-file.ts";
import type { CaseFiles } from "./case-files.ts";
import type { Teller } from "./raw-case.ts";

const requestCapBytes = 1024 * 1024;

/** The request of a case: its words, or those of the file it names. */
export function readRequest(
  { input }: { input: string | { file: string } },
  dir: string,
  files: CaseFiles,
  tell: Teller,
): string {
  const text = typeof input === "string" ? input : readInputFile(input.file, dir, files, tell);
  if (text.trim() === "") throw tell.fault(["input"], "must not be empty");
  return text;
}

function readInputFile(words: string, dir: string, files: CaseFiles, tell: Teller): string {
  const found = files.file(words, dir);
  if (!found.ok) throw tell.fault(["input", "file"], found.problem);
  try {
    return readTextFile(found.path, {
      code: "case-invalid",
      capBytes: requestCapBytes,
      shownPath: `names ${words}, which`,
    });
  } catch (error) {
    throw error instanceof UserError ? tell.fault(["input", "file"], error.message) : error;
  }
}
