import { readOffTopicFile } from "../../operations/catalog/off-topic-file.ts";
import { reportCatalog } from "../../operations/catalog/report-catalog.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { ExitCode } from "../io/exit-codes.ts";
import { catalogReportLines } from "../output/catalog-report-lines.ts";
import type { CatalogReportFlags } from "./catalog-options.ts";
import { withCatalogPass } from "./catalog-pass.ts";

/** `catalog report`: who gets whose requests among skills that are installed together. */
export async function catalogReportCommand(
  { offTopic: file, ...flags }: CatalogReportFlags,
  io: CommandIo,
): Promise<ExitCode> {
  const offTopic = file === undefined ? null : readOffTopicFile(file, io.cwd);
  return withCatalogPass(flags, io, async (ready, endProgress) => {
    const report = await reportCatalog({ ...ready, offTopic });
    endProgress();
    const isUnknown = report.unanswered + report.offTopic.unanswered > 0 && flags.allowInvalid !== true;
    const exitCode = isUnknown ? 3 : 0;
    const { color, width, verbose } = io;
    io.result({ ...report, exitCode }, catalogReportLines(report, { color, width, verbose }));
    if (!io.json) for (const warning of report.warnings) io.warn(warning);
    return exitCode;
  });
}
