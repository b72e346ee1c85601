import { convertReport } from "../run/convert-report.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { ConvertFlags } from "./report-options.ts";
import { writeOutput } from "./write-output.ts";

/** `report convert`: a report file in another format. */
export async function convertCommand(
  { input, format, output }: ConvertFlags,
  io: CommandIo,
): Promise<ExitCode> {
  const render = await convertReport(input, format, io.cwd);
  if (output !== undefined) {
    writeOutput(output, render(), io);
    io.note(`written to ${output}`);
  }
  if (io.json) io.resultPieces(document(format, begun(render())));
  else if (output === undefined) io.resultPieces(begun(render()));
  return 0;
}

/** Pieces of which the first is made already: what cannot be rendered fails before anything is printed. */
function begun(pieces: Iterable<string>): Iterable<string> {
  const source = pieces[Symbol.iterator]();
  const first = source.next();
  return (function* () {
    for (let next = first; !next.done; next = source.next()) yield next.value;
  })();
}

/** The one JSON document, written while the content is made: that may be longer than a text can be. */
function* document(format: string, pieces: Iterable<string>): Generator<string> {
  const head = JSON.stringify({ schemaVersion: 1, command: "report convert", format });
  yield `${head.slice(0, -1)},"content":"`;
  for (const piece of pieces) yield JSON.stringify(piece).slice(1, -1);
  yield '"}\n';
}
