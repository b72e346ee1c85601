import type { RoutedSkill, RouteHit } from "../../../contract/routing.ts";
import { shorten } from "../../../shared/text/visible-text.ts";

/** Why the router selected or excluded a skill, in a line. */
export function routingWords(routed: RoutedSkill): string {
  return shorten(routed.selected ? selectedWords(routed) : excludedWords(routed), maxChars);
}

const maxChars = 400;

function selectedWords(routed: RoutedSkill): string {
  const { rank, score, hits, terms, emb, cos } = routed;
  const counted = hits.filter((hit) => !hit.negated && hit.kind !== "not-for");
  const because = [
    ...hitWords(counted),
    ...(terms.length === 0 ? [] : [`terms ${terms.join(" ")}`]),
    ...(cos === null || emb === null || emb === 0 ? [] : [`cosine ${cos.toFixed(3)}`]),
  ];
  return `selected ${ordinal(rank ?? 0)}, score ${score.toFixed(3)}${because.length === 0 ? "" : `: ${because.join("; ")}`}`;
}

function excludedWords({ excluded, score, hits }: RoutedSkill): string {
  const phrases = (isOne: (hit: RouteHit) => boolean) => hits.filter(isOne).map(({ phrase }) => phrase);
  const detail =
    excluded === "negated"
      ? phrases((hit) => hit.negated && hit.kind !== "not-for").join(", ")
      : excluded === "not-for"
        ? phrases((hit) => !hit.negated && hit.kind === "not-for").join(", ")
        : excluded !== null && isScored.has(excluded)
          ? score.toFixed(3)
          : "";
  return `not selected: ${excluded ?? "no reason given"}${detail === "" ? "" : ` (${detail})`}`;
}

const isScored: ReadonlySet<string> = new Set(["below-threshold", "group-mutex", "beyond-k"]);

const kinds = ["id", "name", "trigger", "tag", "intent"] as const;

function hitWords(hits: readonly RouteHit[]): string[] {
  return kinds.flatMap((kind) => {
    const phrases = hits.filter((hit) => hit.kind === kind).map(({ phrase }) => phrase);
    return phrases.length === 0 ? [] : [`${kind}${phrases.length === 1 ? "" : "s"} ${phrases.join(", ")}`];
  });
}

function ordinal(rank: number): string {
  const ending = { 1: "st", 2: "nd", 3: "rd" }[rank % 100 > 10 && rank % 100 < 14 ? 0 : rank % 10];
  return `${rank}${ending ?? "th"}`;
}
