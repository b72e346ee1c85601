import type { Ask } from "../agent/tools/approvers.ts";
import { visibleLines, visibleText } from "../base/visible-text.ts";

/** Puts a call before the person at the terminal. Everything that is not a clear yes is a no. */
export function askApproval(ask: (question: string, signal: AbortSignal) => Promise<string | null>): Ask {
  return async (request, signal) => {
    const { tool, risk, reason, params } = request;
    const mayLast = risk === "medium";
    const lines = visibleLines(JSON.stringify(params, null, 2)).split("\n");
    const question = [
      "",
      `The agent wants to use ${visibleText(tool)} (${visibleText(risk)} risk): ${visibleText(reason)}`,
      ...lines.slice(0, mostLines).map((line) => `  ${line}`),
      // What is not seen must not be taken for absent.
      ...(lines.length > mostLines ? [`  … ${lines.length - mostLines} MORE LINES ARE NOT SHOWN`] : []),
      `Allow it? [y] once${mayLast ? "  [r] for the rest of this run" : ""}  [N] no: `,
    ].join("\n");
    const answer = (await ask(question, signal))?.trim().toLowerCase();
    if (answer === "y" || answer === "yes") return "yes";
    return mayLast && (answer === "r" || answer === "run") ? "run" : "no";
  };
}

/** More than this and the question would be off the screen. */
const mostLines = 40;
