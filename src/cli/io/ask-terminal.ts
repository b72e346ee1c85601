import { createInterface } from "node:readline";

/** Asks on stderr, since stdout is for the result, and reads one line; null at the end of input. */
export function askTerminal(question: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const stop = () => {
      terminal.close();
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    let answer: string | null = null;
    terminal.once("close", () => {
      signal.removeEventListener("abort", stop);
      resolve(answer);
    });
    // The line editor would take Ctrl-C for an ordinary key.
    terminal.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
    terminal.question(question, (line) => {
      answer = line;
      terminal.close();
    });
  });
}
