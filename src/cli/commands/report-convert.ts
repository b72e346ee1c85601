import { convertReport } from "../../operations/report/convert-report.ts";
import { jsonFormat } from "../../report/formats/json.ts";
import { loadFormats } from "../../report/formats/load-formats.ts";
import { showCaseFormat } from "../../report/formats/show-case.ts";
import { terminalFormat } from "../../report/formats/terminal.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { writeOutput } from "../io/write-output.ts";
import type { ConvertFlags, ShowFlags } from "./report-options.ts";

/** `report convert`: a report file in another format. */
export async function convertCommand(
  { input, format, output, csvRows }: ConvertFlags,
  io: CommandIo,
): Promise<ExitCode> {
  if (csvRows !== undefined && format !== "csv")
    throw new UserError("usage", `--csv-rows has no effect on ${format}`, { hint: "add --format csv" });
  const [writer] = await loadFormats([format]);
  if (writer === undefined) throw new Error(`${format} is not in the table of formats`);
  const render = convertReport(input, writer, io.cwd, csvRows === undefined ? {} : { csvRows });
  if (output !== undefined) {
    writeOutput(output, render(), io);
    io.note(`written to ${output}`);
  }
  if (io.json) io.resultPieces(document(format, begun(render())));
  else if (output === undefined) io.resultPieces(begun(render()));
  return 0;
}

/** `report show`: a report file for people, with everything that did not pass, or all of one case. */
export async function showCommand(flags: ShowFlags, io: CommandIo): Promise<ExitCode> {
  const { file, subject } = flags;
  if (flags.case !== undefined && subject !== undefined)
    throw new UserError("usage", "--case and --subject exclude each other", { hint: "remove one of them" });
  if (io.json && subject !== undefined)
    throw new UserError("usage", "--subject has no effect on the JSON document", {
      hint: "omit --json",
    });
  const options = {
    color: io.color,
    width: io.width,
    maxFailures: null,
    isVerbose: io.verbose,
    ...(subject !== undefined && { onlySubject: subject }),
  };
  const whole = io.json ? jsonFormat : terminalFormat;
  const format = flags.case === undefined ? whole : showCaseFormat(flags.case, io.json);
  const render = convertReport(file, format, io.cwd, options);
  io.resultPieces(begun(render()));
  return 0;
}

/** Renders the first piece early, so that a failing format fails before anything is printed. */
function begun(pieces: Iterable<string>): Iterable<string> {
  const source = pieces[Symbol.iterator]();
  const first = source.next();
  return (function* () {
    for (let next = first; !next.done; next = source.next()) yield next.value;
  })();
}

/** The one JSON document, streamed: the content may be longer than the longest string. */
function* document(format: string, pieces: Iterable<string>): Generator<string> {
  const head = JSON.stringify({ schemaVersion: 1, command: "report convert", format });
  yield `${head.slice(0, -1)},"content":"`;
  for (const piece of pieces) yield JSON.stringify(piece).slice(1, -1);
  yield '"}\n';
}
