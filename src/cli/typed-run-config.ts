import type { Config } from "../contract/config.ts";
import type { ReportFormat } from "../contract/report-format.ts";

/** Flags of every command that makes a run which stand for keys of the configuration. */
export interface RunConfigFlags {
  concurrency?: number;
  timeout?: number;
  outputDir?: string;
  format?: ReportFormat[];
  store?: string;
}

/** The part of the configuration that was typed, for `loadConfig`. */
export function typedRunConfig(flags: RunConfigFlags): Partial<Config> {
  const { concurrency, timeout, outputDir, format, store } = flags;
  return {
    ...(concurrency !== undefined && { concurrency }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(outputDir !== undefined && { outputDir }),
    ...(format !== undefined && { defaultFormats: format }),
    ...(store !== undefined && { store }),
  };
}
