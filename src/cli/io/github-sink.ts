import type { ProcessContext, TextSink } from "./command-io.ts";

/** Whether GitHub Actions reads what is printed. */
export function isOnGithub({ env }: Pick<ProcessContext, "env">): boolean {
  return env.GITHUB_ACTIONS === "true";
}

/**
 * Escapes our output for a reader that looks for commands in every line, as GitHub Actions does.
 * It reads `::name::` at the beginning of a line and `##[name]` anywhere.
 */
export function workflowSafe(sink: TextSink, isJson: boolean): TextSink {
  // In JSON the bracket can be escaped without changing the document.
  const bracket = isJson ? "##\\u005b" : "## [";
  let lineHead = "";
  let tail = "";
  function write(text: string): unknown {
    const split = (lineHead + text).replace(twoColons, "$1 ").slice(lineHead.length);
    const safe = (tail + split).replaceAll("##[", bracket).slice(tail.length);
    lineHead = describeHead(lineHead + split);
    tail = (tail + split).slice(-2);
    return sink.write(safe);
  }
  return new Proxy(sink, {
    get(target, name) {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

// U+0085 is a space to GitHub's reader, not to JavaScript.
const twoColons = /((?:^|[\r\n])(?:[^\S\r\n]|\u0085)*:)(?=:)/g;

/** The unfinished line, as far as it decides what may follow: nothing yet, one colon, or anything else. */
function describeHead(text: string): string {
  const line = text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
  const head = line.replace(/^[\s\u0085]+/, "");
  return head.length < 2 ? head : "…";
}
