import { extname } from "node:path";
import { Strategy, type StrategyFilters } from "../../contract/strategy.ts";
import { checkDocument } from "../../shared/files/check-document.ts";
import { readJsonFile, readYamlFile } from "../../shared/files/read-text-file.ts";
import type { SelectionMetrics } from "./selection.ts";

const code = "strategy-invalid";

/** Reads a strategy from a YAML or JSON file. An empty file demands nothing. */
export async function loadStrategy(
  path: string,
  shownPath: string = path,
): Promise<{ strategy: Strategy; warnings: string[] }> {
  const isJson = extname(path).toLowerCase() === ".json";
  const content = isJson ? readJsonFile(path, code, shownPath) : await readYamlFile(path, code, shownPath);
  const { value, warnings } = checkDocument(content ?? {}, Strategy, { path: shownPath, code });
  return { strategy: value, warnings };
}

export interface FilteredSkill {
  adapterType: string;
  tags: readonly string[];
}

/** Why a skill does not pass the filters, one sentence for each; empty where it passes. */
export function strategyReasons(
  { adapterType, tags }: FilteredSkill,
  metrics: SelectionMetrics,
  filters: StrategyFilters,
): string[] {
  const { adapterTypes, requiredTags = [] } = filters;
  const has = new Set(tags.map((tag) => tag.toLowerCase()));
  return [
    atLeast("completionRate", metrics.completionRate, filters.minCompletionRate),
    atMost("errorRate", metrics.errorRate, filters.maxErrorRate),
    atMost("latencyP95Ms", metrics.latencyP95Ms, filters.maxLatencyP95Ms),
    adapterTypes?.some((type) => type === adapterType) === false
      ? `adapterType ${adapterType} is not ${adapterTypes.join(" or ")}`
      : null,
    ...requiredTags.map((tag) => (has.has(tag.toLowerCase()) ? null : `tag ${tag} is missing`)),
  ].filter((reason) => reason !== null);
}

/** Why a figure is too low, or null where it is not; an unknown figure is never enough. */
export function atLeast(name: string, value: number | null, limit: number | undefined): string | null {
  if (limit === undefined || (value !== null && value >= limit)) return null;
  return value === null ? `${name} is unknown` : `${name} ${shown(value, limit)} < ${limit}`;
}

function atMost(name: string, value: number | null, limit: number | undefined): string | null {
  if (limit === undefined || (value !== null && value <= limit)) return null;
  return value === null ? `${name} is unknown` : `${name} ${shown(value, limit)} > ${limit}`;
}

/** Four decimals, and more only where these would make the sentence untrue: `0.8 < 0.8`. */
function shown(value: number, limit: number): string {
  const short = Number(value.toFixed(4));
  return String(short === limit ? value : short);
}
