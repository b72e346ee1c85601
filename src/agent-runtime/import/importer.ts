import type { TraceKind } from "../../contract/trace-kind.ts";
import type { TraceItem } from "./read-values.ts";
import type { ToolMap } from "./tool-map.ts";
import type { Trace } from "./trace.ts";
import type { TraceBuilder } from "./trace-builder.ts";

/**
 * Reads one format of transcripts. It only says what an item is: which calls belong together, where a run begins and ends, and what
 * is missing is the business of the builder, the same for all formats. One file each; `importer.contract.ts` tests it.
 */
export interface Importer {
  kind: TraceKind;
  /** What its tools do, by their names in lower case; any other tool is opaque. */
  tools: ToolMap;
  /** Whether a value of the file is of this format and of no other. */
  recognizes(value: unknown): boolean;
  /** Whether this value may follow an equal one; otherwise the second is damage. */
  mayRepeat?(value: unknown): boolean;
  read(items: readonly TraceItem[], builder: TraceBuilder, companions: Companions): void;
}

/** Other files of the same session, by their path from the folder of the file; null where there is none. */
export type Companions = (path: string) => readonly TraceItem[] | null;

/** What the traces of a file have in common, as far as the file says. */
export type TraceFacts = Partial<
  Pick<Trace, "model" | "cwd" | "tools" | "skills" | "recordsDenials" | "recordsCalls">
>;
