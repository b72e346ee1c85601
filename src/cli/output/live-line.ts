/** Where progress is written; a terminal has a width. */
export type ProgressStream = NodeJS.WritableStream & { columns?: number };

/** Permanent lines, and below them at most one live line that is redrawn. */
export interface LiveLine {
  /** Columns the live line may take: one less than there are, since some terminals wrap when the last one is filled. */
  width(): number;
  print(lines: readonly string[]): void;
  show(line: string): void;
  clear(): void;
}

const eraseLine = "\r\u001b[K";
const defaultColumns = 80;

/** Writes to a stream that may go away at any time: what cannot be written is dropped, never thrown. */
export function liveLine(stream: ProgressStream): LiveLine {
  let shown = "";
  let isBroken = false;
  stream.on("error", () => {
    isBroken = true; // nobody reads any more; the run continues without progress
  });
  const write = (text: string) => {
    if (isBroken || text === "") return;
    try {
      stream.write(text);
    } catch {
      isBroken = true;
    }
  };
  const erase = () => (shown === "" ? "" : eraseLine);

  return {
    width: () => (stream.columns || defaultColumns) - 1,
    print: (lines) => {
      if (lines.length > 0) write(`${erase()}${lines.join("\n")}\n${shown}`);
    },
    show: (line) => {
      if (line !== shown) write(`${erase()}${line}`);
      shown = line;
    },
    clear: () => {
      write(erase());
      shown = "";
    },
  };
}
