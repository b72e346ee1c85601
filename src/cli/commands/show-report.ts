import type { RenderOptions, ReportView } from "../../contract/format.ts";
import type { CommandIo } from "../io/command-io.ts";
import { addSummary, inWorkspace } from "../io/github.ts";
import { isOnGithub } from "../io/github-sink.ts";
import type { DoneRun } from "./carry-session-out.ts";

/** Prints a report as the one result of a command: the document, or the lines for people. */
export async function showReport(done: DoneRun, io: CommandIo): Promise<void> {
  if (io.json) {
    const { jsonFormat } = await import("../../report/formats/json.ts");
    io.resultPieces(jsonFormat.render(done));
  } else io.resultPieces(await reportLines(done.view, io));
}

/** A report for people, as this terminal shows it. */
export async function reportLines(view: ReportView, { color, width }: CommandIo): Promise<Iterable<string>> {
  const { terminalFormat } = await import("../../report/formats/terminal.ts");
  return terminalFormat.render({ ...view, options: { ...view.options, color, width } });
}

/** On GitHub Actions: annotates what did not pass and adds to the page of the job. Elsewhere it does nothing, and it never fails. */
export async function annotateGithub({ view }: Pick<DoneRun, "view">, io: CommandIo): Promise<void> {
  if (!isOnGithub(io)) return;
  const { githubFormat } = await import("../../report/formats/github.ts");
  const { annotations } = await import("../../report/view/github-annotations.ts");
  const { fileOf } = view.options;
  const options: RenderOptions = { ...view.options, fileOf: (cell) => inWorkspace(fileOf?.(cell), io) };
  for (const command of annotations({ ...view, options })) io.workflow(command);
  addSummary(githubFormat.render(view), io);
}
