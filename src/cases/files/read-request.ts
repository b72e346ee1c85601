import { readTextFile } from "../../shared/files/read-text-file.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CaseFiles } from "./case-files.ts";
import type { ProblemReporter } from "./raw-case.ts";

const requestCapBytes = 1024 * 1024;

/** The request of a case: its words, or those of the file it names. */
export function readRequest(
  { input }: { input: string | { file: string } },
  dir: string,
  files: CaseFiles,
  report: ProblemReporter,
): string {
  const text = typeof input === "string" ? input : readInputFile(input.file, dir, files, report);
  if (text.trim() === "") throw report.fault(["input"], "must not be empty");
  return text;
}

function readInputFile(words: string, dir: string, files: CaseFiles, report: ProblemReporter): string {
  const found = files.file(words, dir);
  if (!found.ok) throw report.fault(["input", "file"], found.problem);
  try {
    return readTextFile(found.path, {
      code: "case-invalid",
      capBytes: requestCapBytes,
      shownPath: `names ${words}, which`,
    });
  } catch (error) {
    throw error instanceof UserError ? report.fault(["input", "file"], error.message) : error;
  }
}
