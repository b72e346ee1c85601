import { resolve } from "node:path";
import * as z from "zod";
import { zodProblem } from "../base/zod-problem.ts";
import type { Level } from "../contract/level.ts";
import type { ReportFormat } from "../contract/report-format.ts";
import { UserError } from "../contract/user-error.ts";
import { readReport } from "../spec/read-report.ts";
import { formatFor } from "./formats.ts";
import { shapeKind } from "./legacy/shapes.ts";
import { levels as allLevels } from "./levels.ts";

/** A report file in another format, piece by piece, as often as it is asked for. */
export async function convertReport(
  file: string,
  format: ReportFormat,
  cwd: string,
  levels: readonly Level[] = allLevels,
): Promise<() => Iterable<string>> {
  const { report, cells } = readReport(resolve(cwd, file), levels, file);
  const writer = await formatFor(format, shapeKind(report));
  return () => {
    try {
      return writer.render(report, cells);
    } catch (error) {
      throw error instanceof z.ZodError ? incomplete(error, file, format) : error;
    }
  };
}

/** What a level writes of its subjects and its run is read where a format shows it. */
function incomplete(error: z.ZodError, file: string, format: ReportFormat): UserError {
  const { reason, jsonPath } = zodProblem(error, {});
  return new UserError(
    "report-invalid",
    `${file}: the details of a subject lack what ${format} shows: ${jsonPath} ${reason}`,
    { path: file, hint: "run the evaluation again to get a whole report" },
  );
}
