import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "../../shared/files/paths.ts";
import { writeWholeFile } from "../../shared/files/whole-file.ts";
import { unwritable } from "../../shared/user-error.ts";
import type { CommandIo } from "./command-io.ts";

/** Writes what was made to the file the user named, whole or not at all. */
export function writeOutput(
  file: string,
  pieces: Iterable<string>,
  { cwd }: CommandIo,
  flag: "--output" | "--output-dir" = "--output",
): void {
  const path = resolve(cwd, file);
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

/** A link the user named is meant as what it leads to, `/dev/stdout` for one; an open pipe has no name to lead to. */
function behindLinks(path: string): string {
  try {
    return existsSync(path) ? realpathSync(path) : path;
  } catch {
    return path;
  }
}

/** A result that can be told in several formats, `text` and `json` among them. */
interface FormattedResult<Format extends string> {
  /** What files of it are called, without their ending. */
  name: string;
  /** What was asked for. */
  formats: readonly Format[];
  /** What was typed; then even one format is written to a file. */
  outputDir: string | undefined;
  defaultDir: string;
  /** What its files end with. */
  endings: Record<Format, string>;
  /** It as text, for a file. */
  render(format: Format): string;
  /** It as the document of `--json`, with the files that were written. */
  document(files: readonly string[]): object;
  /** It for people, on stdout. */
  text(): string;
}

/** Tells a result: one format on stdout, several in files while people read the text. */
export function writeInFormats<Format extends string>(result: FormattedResult<Format>, io: CommandIo): void {
  const formats = [...new Set(result.formats)];
  const [only] = formats;
  const isForStdout = formats.length === 1 && result.outputDir === undefined;
  const files = isForStdout ? [] : filesOf(formats, result);
  for (const { file, format } of files) writeOutput(file, [result.render(format)], io, "--output-dir");
  if (isForStdout && only !== undefined && only !== "text" && !io.json)
    io.resultPieces([result.render(only)]);
  else io.result(result.document(files.map(({ file }) => file)), io.json ? "" : result.text());
  for (const { file } of files) io.note(`written to ${file}`);
}

/** Text is for the terminal; a copy of it in a file is made only where nothing else was asked for. */
function filesOf<Format extends string>(
  formats: readonly Format[],
  { name, outputDir, defaultDir, endings }: FormattedResult<Format>,
): { file: string; format: Format }[] {
  const wanted = formats.length === 1 ? formats : formats.filter((format) => format !== "text");
  return wanted.map((format) => ({
    file: join(outputDir ?? defaultDir, `${name}.${endings[format]}`),
    format,
  }));
}
