import { noModel } from "./choose-judge.ts";
import type { TriggerSubject } from "./prepare.ts";

/** Why the router judges where nobody chose it: one line for all skills it happens to. */
export function unchosenRouter(subjects: readonly TriggerSubject[], howToNameOne: string): string | null {
  const unchosen = subjects.filter(({ judgeName, skipped }) => skipped === null && judgeName.why === noModel);
  if (unchosen.length === 0) return null;
  const hasVectors = unchosen.some(({ judgeName }) => judgeName.label?.includes("vectors"));
  const means = hasVectors ? "words and vectors" : "words";
  return `no model configured: the router judges by ${means}, without understanding the text (${howToNameOne})`;
}
