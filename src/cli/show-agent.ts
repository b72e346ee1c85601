import type { LiveListener } from "../agent/loop/agent-setup.ts";
import { visibleLines } from "../base/visible-text.ts";
import type { CommandIo } from "./command-io.ts";

export interface ShownAgent extends Disposable {
  listener: LiveListener;
  /** Whether the whole answer stands on stdout already. */
  readonly hasShownAnswer: boolean;
}

/** Shows on stderr what an agent does, and on stdout its answer as it comes where that is asked for. */
export function showAgent(io: CommandIo, { streams }: { streams: boolean }): ShownAgent {
  let shown = "";
  let hasEnded = false;
  return {
    listener: {
      delta(text) {
        if (!streams || io.json) return;
        shown += text;
        io.stdout.write(visibleLines(text));
      },
      event(turn, type, data) {
        if (type === "model_request" && shown !== "") {
          // What was shown of a reply that came to nothing cannot be taken back.
          io.stdout.write("\n");
          shown = "";
        }
        const words = wordsOf(type, data as Record<string, unknown>);
        if (words !== null) io.note(`${turn}  ${words}`);
      },
    },
    get hasShownAnswer() {
      return shown !== "";
    },
    [Symbol.dispose]() {
      if (!hasEnded && shown !== "" && !shown.endsWith("\n")) io.stdout.write("\n");
      hasEnded = true;
    },
  };
}

/** Until the story of a run is told in one place. */
function wordsOf(type: string, data: Record<string, unknown>): string | null {
  return type === "action_planned" ? JSON.stringify(data.action) : null;
}
