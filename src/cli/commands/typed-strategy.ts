import { resolve } from "node:path";
import type { Options } from "../../contract/option-table.ts";
import { Strategy } from "../../contract/strategy.ts";
import { loadStrategy } from "../../operations/select/strategy.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { selectionRows } from "./select-options.ts";

/** The strategy of the file, or the one that lets everything pass; what was typed beats it, `otherwise` fills the rest. */
export async function typedStrategy(
  { strategy: file, minCompletion, topK }: Options<typeof selectionRows>,
  io: CommandIo,
  otherwise: { minCompletionRate?: number; topK?: number } = {},
): Promise<Strategy> {
  const { strategy, warnings } =
    file === undefined
      ? { strategy: Strategy.parse({}), warnings: [] }
      : await loadStrategy(resolve(io.cwd, file), file);
  for (const warning of warnings) io.warn(warning);
  const { filters } = strategy;
  const least = minCompletion ?? filters.minCompletionRate ?? otherwise.minCompletionRate;
  const most = topK ?? strategy.topK ?? otherwise.topK;
  return {
    ...strategy,
    filters: { ...filters, ...(least !== undefined && { minCompletionRate: least }) },
    ...(most !== undefined && { topK: most }),
  };
}
