import { noModel } from "./choose-judge.ts";
import type { TriggerSubject } from "./prepare-triggers.ts";

/** Why the router judges where nobody chose it: one line for all skills it happens to. */
export function unchosenRouter(subjects: readonly TriggerSubject[], howToNameOne: string): string | null {
  const isUnchosen = subjects.some(({ judgeName, skipped }) => skipped === null && judgeName.why === noModel);
  return isUnchosen
    ? `no model is configured, so the router judges: it goes by words, not by understanding (${howToNameOne})`
    : null;
}
