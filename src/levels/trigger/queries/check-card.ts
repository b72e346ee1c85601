import type { Card } from "../../../contract/card.ts";
import { describingFile } from "../../../contract/describing-file.ts";
import type { Diagnostics } from "../../../contract/diagnostics.ts";
import type { DescribedSkill } from "../../../contract/skill.ts";
import { foldQuery } from "./fold-query.ts";

/** The part of a card that a `meta.yml` holds. */
export interface SidecarCard {
  description: string | null;
  triggers: readonly string[];
  notFor: readonly string[];
}

/** What an agent's index shows of a description. */
const advisedDescription = 1024;

/** What can be wrong with the card that the queries are judged by. */
export function checkCard(
  skill: DescribedSkill,
  card: Card,
  sidecar: SidecarCard | null,
  diagnostics: Diagnostics,
): void {
  const own = describingFile(skill);
  const file = own === "." && sidecar !== null ? "meta.yml" : own;
  const length = [...skill.description].length;
  if (skill.description.trim() === "")
    diagnostics.add("TRG07", { file }, "description or summary not found", {
      hint: "say what it does and when to use it",
    });
  for (const cut of card.cuts) diagnostics.add("TRG15", { file }, `card: ${cut}`);
  if (length > advisedDescription && !isToldLong(card, file, diagnostics))
    diagnostics.add(
      "TRG15",
      { file },
      `card: description has ${length} characters, advised ${advisedDescription}`,
    );
  for (const field of sidecar === null ? [] : contradictions(skill, sidecar))
    diagnostics.add(
      "TRG15",
      { file: "meta.yml", jsonPath: `$.${field}` },
      `card: different ${field} in ${file}`,
      {
        hint: `agents see the one in ${file}; align meta.yml or remove ${field} from it`,
      },
    );
}

/** Whether it was said already that a description is long: because it is cut, or by whoever read the `SKILL.md`. */
function isToldLong({ cuts }: Card, describing: string, diagnostics: Diagnostics): boolean {
  const reported = diagnostics.list().filter(({ code, file }) => code === "SKM07" && file === describing);
  return [...cuts, ...reported.map(({ message }) => message)].some((words) =>
    words.startsWith("description "),
  );
}

/** What stands in both and says something else; where the manifest says nothing, `meta.yml` has filled the gap. */
function contradictions(skill: DescribedSkill, sidecar: SidecarCard): string[] {
  const found: string[] = [];
  if (sidecar.description !== null && foldQuery(sidecar.description) !== foldQuery(skill.description))
    found.push("description");
  if (saysOther(sidecar.triggers, skill.triggers)) found.push("triggers");
  if (saysOther(sidecar.notFor, skill.notFor)) found.push("not_for");
  return found;
}

function saysOther(side: readonly string[], main: readonly string[]): boolean {
  if (side.length === 0) return false;
  const [a, b] = [new Set(side.map(foldQuery)), new Set(main.map(foldQuery))];
  return a.size !== b.size || [...a].some((entry) => !b.has(entry));
}
