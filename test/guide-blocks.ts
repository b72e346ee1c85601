/** A fenced block of a page. The second word after the fence, where there is one, is the file it is the content of. */
export interface Block {
  language: string;
  file: string | null;
  text: string;
  /** The line of its fence in the page, counted from 1. */
  line: number;
}

/** The fenced blocks of a page, in their order. */
export function readBlocks(page: string): Block[] {
  const blocks: Block[] = [];
  let open: (Block & { fence: string }) | null = null;
  for (const [at, line] of page.split("\n").entries()) {
    const [, fence = "", language = "", file = null] = /^(`{3,})(\S*)(?: (\S+))?$/.exec(line) ?? [];
    if (open === null) {
      if (fence !== "") open = { fence, language, file, text: "", line: at + 1 };
    } else if (line === open.fence) {
      const { fence: _, ...block } = open;
      blocks.push(block);
      open = null;
    } else open.text += `${line}\n`;
  }
  if (open !== null) throw new Error(`the block of line ${open.line} does not end`);
  return blocks;
}

/** A line of a shell block and the exit codes that the page promises right beside it. */
export interface Command {
  text: string;
  exitCodes: readonly number[];
}

/** The commands of a shell block. A line that ends with a backslash goes on in the next; `# exit 1` names an exit code other than 0, `# exit 0 or 1` two valid ones. */
export function readCommands({ text }: Block): Command[] {
  return text
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.trimStart().startsWith("#"))
    .map((line) => {
      const [, promised = "0"] = /\s# exit (\d+(?: or \d+)?)/.exec(line) ?? [];
      return { text: line, exitCodes: promised.split(" or ").map(Number) };
    });
}

/**
 * Whether an output is the one a page shows: line by line, whatever the numbers and the spaces, and `…` for lines that
 * are left out.
 */
export function isShown(shown: string, output: string): boolean {
  const isAny = (line: string) => line === "…";
  const pattern = plainLines(shown)
    .map((line) => (isAny(line) ? "(?:.*\n)*" : `${escaped(line)}\n`))
    .join("");
  return new RegExp(`^${pattern}$`).test(`${plainLines(output).join("\n")}\n`);
}

function plainLines(text: string): string[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) =>
      line
        .replace(/\d[\d.,:TZ]*/g, "0")
        .replace(/[\s-]+/g, " ")
        .trim(),
    );
}

function escaped(line: string): string {
  return line.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
