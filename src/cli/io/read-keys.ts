/** Reads single keys from the terminal until it is disposed of. Ctrl-C stays what it is everywhere else. */
export function readKeys(onKey: (key: string) => void): Disposable {
  const { stdin } = process;
  const read = (text: string) => {
    // Arrows and other keys that send more than one character mean nothing here.
    if (text.length > 1 && text.startsWith("\u001b")) return;
    for (const key of text) {
      if (key === "\u0003") process.kill(process.pid, "SIGINT");
      else onKey(key);
    }
  };
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.on("data", read);
  return {
    [Symbol.dispose]() {
      stdin.off("data", read);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
