import type { Ask } from "../../agent-runtime/tools/approvers.ts";
import { visibleLines, visibleText } from "../../shared/text/visible-text.ts";

/** Puts a call before the person at the terminal. Everything that is not a clear yes is a no. */
export function askApproval(ask: (question: string, signal: AbortSignal) => Promise<string | null>): Ask {
  return async (request, signal) => {
    const { tool, risk, reason, params } = request;
    const mayLast = risk === "medium";
    const lines = visibleLines(JSON.stringify(params, null, 2)).split("\n");
    const question = [
      "",
      `The agent wants to use ${visibleText(tool)} (${visibleText(risk)} risk): ${visibleText(reason)}`,
      // All of it, however long: what is granted is exactly this.
      ...lines.map((line) => `  ${line}`),
      `Allow this call of ${visibleText(tool)}? [y] once${mayLast ? "  [r] rest of this run" : ""}  [N] no: `,
    ].join("\n");
    const answer = (await ask(question, signal))?.trim().toLowerCase();
    if (answer === "y" || answer === "yes") return "yes";
    return mayLast && (answer === "r" || answer === "run") ? "run" : "no";
  };
}
