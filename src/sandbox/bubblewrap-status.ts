import { closeSync, openSync, readSync, unlinkSync } from "node:fs";

/** What bubblewrap tells about a start, in a file that only it and we have open. */
export interface BubblewrapStatus extends Disposable {
  /** To be handed to bubblewrap. */
  readonly descriptor: number;
  /** The first process of the namespace, as the machine numbers it; null until there is one. Below it runs the program. */
  firstProcess(): number | null;
  /** Whether the program itself was executed and has ended; the exit code is its own then. */
  wasExecuted(): boolean;
}

/** A file rather than a pipe: what was written is there when the exit is heard, in whatever order events arrive. */
export function openBubblewrapStatus(path: string): BubblewrapStatus {
  const descriptor = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  let isOpen = true;
  let lastRead = "";
  const read = () => {
    const text = Buffer.alloc(1024);
    // Once closed, the number may stand for another file.
    if (isOpen) lastRead = text.toString("latin1", 0, readSync(descriptor, text, 0, text.length, 0));
    return lastRead;
  };
  return {
    descriptor,
    firstProcess() {
      const pid = /"child-pid": (\d+)/.exec(read())?.[1];
      return pid === undefined ? null : Number(pid);
    },
    wasExecuted: () => read().includes('"exit-code":'),
    [Symbol.dispose]() {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}
