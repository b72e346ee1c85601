import { knownRequests } from "../src/levels/trigger/judges/known-requests.ts";
import { canaries } from "../src/scorers/canary-cases.ts";

/** What a sound judge replies to a question about a canary, as a server gets it or as text; null where it is about anything else. */
export function soundReply(prompt: string): string | null {
  const canary = canaries.find(({ rubric }) => prompt.includes(rubric));
  if (canary === undefined) return null;
  const output = /<<output (\w+)>>(?:\n|\\n)([\s\S]*?)(?:\n|\\n)<<end of output \1>>/.exec(prompt)?.[2] ?? "";
  const facts = canary.rubric.includes("museum") ? ["10:00", "12 euros"] : ["IC 504", "platform 7"];
  const found = facts.filter((fact) => output.includes(fact)).length;
  return judgment(found / 2);
}

/** A judgment in the form that judges reply in. */
export function judgment(score: number): string {
  return JSON.stringify({ score, reason: "because" });
}

/** What a sound judge of requests replies to a known one, about one card or about a catalog; null where it is about anything else. */
export function soundDecision(prompt: string): string | null {
  const known = knownRequests.find(({ request }) => prompt.includes(request.split("\n")[0] ?? ""));
  if (known === undefined) return null;
  const { skill, knownScore } = known;
  if (!prompt.includes("CHOICE=<")) return `DECISION=${knownScore === 1 ? "YES" : "NO"} REASON=It is known.`;
  return `CHOICE=${knownScore === 1 ? skill.id : "NONE"} REASON=It is known.`;
}
