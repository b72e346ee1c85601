import type { LiveListener } from "../../agent-runtime/loop/agent-setup.ts";
import type { Ask } from "../../agent-runtime/tools/approvers.ts";
import type { AgentEvent } from "../../contract/agent-event.ts";
import { liveLines } from "../../report/timeline/replay-lines.ts";
import { visibleLines, visibleText } from "../../shared/text/visible-text.ts";
import type { CommandIo } from "./command-io.ts";

interface ShownAgent extends Disposable {
  listener: LiveListener;
  /** Whether the whole answer is on stdout already. */
  readonly hasShownAnswer: boolean;
}

/** Shows on stderr what an agent does, in the words of `agent replay`, and streams its answer to stdout if requested. */
export function showAgent(io: CommandIo, { streams }: { streams: boolean }): ShownAgent {
  const width = io.stderr.isTTY === true ? (io.stderr.columns ?? null) : null;
  const renderEvent = liveLines({ color: io.colorStderr, width });
  const isOneScreen = io.stdout.isTTY === true && io.stderr.isTTY === true;
  let shown = "";
  let isLineOpen = false;
  const endLine = () => {
    if (isLineOpen) io.stdout.write("\n");
    isLineOpen = false;
  };
  return {
    listener: {
      delta(text) {
        if (!streams || io.json) return;
        shown += text;
        isLineOpen = !text.endsWith("\n");
        io.stdout.write(forStdout(text, io));
      },
      event(turn, type, data) {
        if (type === "model_request") {
          // Text that was already shown of a failed reply cannot be taken back.
          endLine();
          shown = "";
        }
        if (hiddenEvents.has(type)) return;
        const event = { v: 1, seq: 0, ts: "", run_id: "", turn, type, data } as unknown as AgentEvent;
        const lines = renderEvent(event);
        // On a shared screen, the next event must start on its own line.
        if (isOneScreen && lines.length > 0) endLine();
        for (const line of lines) io.stderr.write(`${line}\n`);
      },
    },
    get hasShownAnswer() {
      return shown !== "";
    },
    [Symbol.dispose]: endLine,
  };
}

/** The answer unchanged for files and pipes; on a terminal, without anything that could move the cursor. */
export function forStdout(text: string, { stdout }: CommandIo): string {
  return stdout.isTTY === true ? visibleLines(text) : text;
}

/** The user has just typed the request, and the answer goes to stdout. */
const hiddenEvents: ReadonlySet<string> = new Set(["run_started", "run_finished"]);

/** Asks the person at the terminal to approve a call. Anything but a clear yes is a no. */
export function askApproval(ask: (question: string, signal: AbortSignal) => Promise<string | null>): Ask {
  return async (request, signal) => {
    const { tool, risk, reason, params } = request;
    const mayLast = risk === "medium";
    const lines = visibleLines(JSON.stringify(params, null, 2)).split("\n");
    const question = [
      "",
      `The agent wants to use ${visibleText(tool)} (${visibleText(risk)} risk): ${visibleText(reason)}`,
      // In full, however long: exactly this is approved.
      ...lines.map((line) => `  ${line}`),
      `Allow this call of ${visibleText(tool)}? [y] once${mayLast ? "  [r] rest of this run" : ""}  [N] no: `,
    ].join("\n");
    const answer = (await ask(question, signal))?.trim().toLowerCase();
    if (answer === "y" || answer === "yes") return "yes";
    return mayLast && (answer === "r" || answer === "run") ? "run" : "no";
  };
}
