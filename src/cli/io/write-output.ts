import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../shared/files/paths.ts";
import { writeWholeFile } from "../../shared/files/whole-file.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { unwritable } from "../../shared/user-error.ts";
import type { CommandIo } from "./command-io.ts";

/** Writes output to the file the user named, completely or not at all. */
export function writeOutput(
  file: string,
  pieces: Iterable<string>,
  { cwd }: CommandIo,
  flag: "--output" | "--output-dir" = "--output",
): void {
  const path = writtenPath(file, cwd);
  try {
    makeFolder(dirname(path));
    writeWholeFile(behindLinks(path), pieces);
  } catch (error) {
    throw unwritable(
      file,
      error,
      `choose a writable ${flag === "--output" ? "file" : "folder"} with ${flag}`,
    );
  }
}

/** Follows a link the user named, such as `/dev/stdout`; an open pipe has no path to follow. */
function behindLinks(path: string): string {
  try {
    return existsSync(path) ? realpathSync(path) : path;
  } catch {
    return path;
  }
}

/** A result that can be written in several formats, `text` and `json` among them. */
interface FormattedResult<Format extends string> {
  /** The name of its files, without extension. */
  name: string;
  /** The requested formats. */
  formats: readonly Format[];
  /** Whether it was typed; then even one format is written to a file. */
  outputDir: string | undefined;
  defaultDir: string;
  /** The extensions of its files. */
  endings: Record<Format, string>;
  /** As text, for a file. */
  render(format: Format): string;
  /** As the document of `--json`, with the files that were written. */
  document(files: readonly string[]): object;
  /** As text for people, on stdout. */
  text(): string;
}

/** Writes a result: one format to stdout, several to files with the text on stdout. */
export function writeInFormats<Format extends string>(result: FormattedResult<Format>, io: CommandIo): void {
  const formats = [...new Set(result.formats)];
  const [only] = formats;
  const isForStdout = formats.length === 1 && result.outputDir === undefined;
  const files = isForStdout ? [] : chooseFiles(formats, result);
  for (const { file, format } of files) writeOutput(file, [result.render(format)], io, "--output-dir");
  if (isForStdout && only !== undefined && only !== "text" && !io.json)
    io.resultPieces([result.render(only)]);
  else io.result(result.document(files.map(({ file }) => file)), io.json ? "" : result.text());
  for (const { file } of files) io.note(`written to ${file}`);
}

/** Text goes to the terminal; it is written to a file only if no other format was requested. */
function chooseFiles<Format extends string>(
  formats: readonly Format[],
  { name, outputDir, defaultDir, endings }: FormattedResult<Format>,
): { file: string; format: Format }[] {
  const wanted = formats.length === 1 ? formats : formats.filter((format) => format !== "text");
  return wanted.map((format) => ({
    file: join(outputDir ?? defaultDir, `${name}.${endings[format]}`),
    format,
  }));
}
