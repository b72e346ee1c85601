import type { DiagnosticSeverity } from "../../contract/diagnostic.ts";
import type { DiagnosticCode } from "../../contract/diagnostic-rules.ts";

/** What is wrong with a tool, and where: in the manifest, or in a script. */
export interface ToolFinding {
  code: DiagnosticCode;
  at: { steps: readonly PropertyKey[] } | { file: string; line?: number };
  message: string;
  hint?: string;
  severity?: DiagnosticSeverity;
}
