import type { SyntaxNode } from "@lezer/common";
import { textOf } from "./node-text.ts";

/** Whether a block is never run in a module that is imported: it is for type checkers, or for a start as a program. */
export function isDormant(source: string, body: SyntaxNode): boolean {
  const test = body.prevSibling;
  if (test?.prevSibling?.name !== "if" || body.parent?.name !== "IfStatement") return false;
  return test.to - test.from < longestTest && tests.some((pattern) => pattern.test(textOf(source, test)));
}

const longestTest = 100;
const tests = [
  /^\(?(?:\w+\.)?TYPE_CHECKING\)?$/,
  /^\(?__name__\s*==\s*["']__main__["']\)?$/,
  /^\(?["']__main__["']\s*==\s*__name__\)?$/,
];
