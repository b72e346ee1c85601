import { resolve } from "node:path";
import type { Format, RenderOptions } from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";
import { levels as allLevels } from "../../levels/levels.ts";
import { readReport } from "../../report/convert/read-report.ts";
import { viewReport } from "../../report/view/view-report.ts";

/** Converts a report file to another format. The result can be iterated several times. */
export function convertReport(
  file: string,
  format: Format,
  cwd: string,
  { levels = allLevels, ...options }: Partial<RenderOptions> & { levels?: readonly Level[] } = {},
): () => Iterable<string> {
  const { report, cells } = readReport(resolve(cwd, file), levels, file);
  return () => format.render(viewReport(report, cells, levels, options));
}
