import pc from "picocolors";
import type { RoutedSkill, RouteHit, Routing } from "../../contract/routing.ts";
import { counted } from "../../report/text/format-numbers.ts";
import { type Column, textTable } from "../../report/text/text-table.ts";
import { shownText, visibleText } from "../../shared/text/visible-text.ts";

const cellLimit = 200;

const columns: readonly Column[] = [
  { head: "#" },
  { head: "skill", least: 12 },
  { head: "score" },
  { head: "lex" },
  { head: "emb" },
  { head: "phrase", isExpendable: true },
  { head: "text", isExpendable: true },
  { head: "because", least: 16 },
];

/** What the router made of a request, for people: who was selected and why, and with `all` who was left out. */
export function routeLines(
  routing: Routing,
  { color, width, all }: { color: boolean; width: number | null; all: boolean },
): string {
  const paint = pc.createColors(color);
  const shown = all ? routing.skills : routing.skills.filter(({ selected }) => selected);
  const isSelected = shown.map(({ selected }) => selected);
  const table = textTable(columns, shown.map(row), {
    width,
    paint: (text, column, at) => {
      if (at === -1 || !isSelected[at] || text.trim() === "–") return paint.dim(text);
      return column === "skill" ? paint.bold(text) : text;
    },
  });
  const lines = [
    headLine(routing),
    ...(shown.length === 0 ? [] : table),
    ...(routing.skills.some(({ selected }) => selected) ? [] : [paint.yellow(nothingSelected(routing, all))]),
    ...(routing.closeCall && routing.margin !== null
      ? [paint.yellow(`close call: the first is ${routing.margin.toFixed(3)} ahead of the second`)]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

function headLine({ mode, model, fallbackReason, total, eligible, minScore }: Routing): string {
  const aside = mode === "vectors" ? model : fallbackReason;
  const how = aside === null ? mode : `${mode} (${shownText(aside, cellLimit)})`;
  return `mode ${how}   ${counted(total, "skill")}, ${eligible} eligible   min ${minScore.toFixed(2)}`;
}

function nothingSelected({ skills, total, eligible }: Routing, isAllShown: boolean): string {
  if (skills.some(({ excluded }) => excluded === "empty-query"))
    return "nothing selected: the request is empty (empty-query)";
  if (total > 0 && eligible === 0)
    return `nothing selected: no skill is eligible${isAllShown ? "" : " (--all shows why)"}`;
  const best = skills.find(({ score: own }) => own > 0);
  return best === undefined
    ? "nothing selected: no skill matches the request"
    : `nothing selected; the best is ${shownText(best.id)} with ${score(best.score)} (${best.excluded})`;
}

function row(skill: RoutedSkill): string[] {
  return [
    skill.rank === null ? "–" : String(skill.rank),
    shownText(skill.id),
    score(skill.score),
    score(skill.lex),
    score(skill.emb),
    score(skill.phrase),
    score(skill.text),
    shownText(because(skill), cellLimit),
  ];
}

/** Why a skill was selected: its phrases and terms in the request. Why one was not: the reason, with the phrase that did it. */
function because(skill: RoutedSkill): string {
  const { excluded, hits, terms } = skill;
  if (excluded === "negated" || excluded === "not-for") {
    const isGuilty = ({ kind, negated }: RouteHit) => (excluded === "negated" ? negated : kind === "not-for");
    const phrases = hits.filter(isGuilty).map(({ phrase }) => phrase);
    return phrases.length === 0 ? excluded : `${excluded}: ${phrases.join(", ")}`;
  }
  if (excluded !== null) return excluded;
  const found = hits.filter(({ kind, negated }) => !negated && kind !== "not-for");
  const parts = hitWords.flatMap(([kind, one, many]) => {
    const phrases = found.filter((hit) => hit.kind === kind).map(({ phrase }) => visibleText(phrase));
    return phrases.length === 0 ? [] : [`${phrases.length === 1 ? one : many} ${phrases.join(", ")}`];
  });
  if (terms.length > 0) parts.push(`terms ${terms.join(" ")}`);
  if (skill.cos !== null && skill.emb !== null && skill.emb > 0) parts.push(`cosine ${skill.cos.toFixed(3)}`);
  return parts.join("; ");
}

const hitWords: readonly (readonly [RouteHit["kind"], string, string])[] = [
  ["id", "id", "ids"],
  ["name", "name", "names"],
  ["trigger", "trigger", "triggers"],
  ["tag", "tag", "tags"],
  ["intent", "intent", "intents"],
];

function score(value: number | null): string {
  return value === null ? "–" : value.toFixed(3);
}
