import type { AdapterType, ListedSkill } from "../contract/skill-facts.ts";

/** What is looked for among skills; what is left out demands nothing. */
export interface SkillQuery {
  /** Words, all required, in any order and case. */
  query?: string | undefined;
  /** Tags a skill must have, all of them. */
  tags?: readonly string[] | undefined;
  adapterType?: AdapterType | undefined;
}

export interface MatchedSkill {
  skill: ListedSkill;
  /** How well the words fit; null if the query has none. */
  relevance: number | null;
}

const fieldWeights = { name: 3, description: 2, tag: 1, id: 0 };

/** The skills that fit, in the order they came. */
export function matchSkills(
  skills: readonly ListedSkill[],
  { query, tags = [], adapterType }: SkillQuery,
): MatchedSkill[] {
  const words = query === undefined ? null : [...new Set(plain(query).split(/\s+/))].filter(Boolean);
  const wanted = tags.map(plain);
  return skills.flatMap((skill) => {
    if (adapterType !== undefined && skill.adapterType !== adapterType) return [];
    const own = skill.tags.map(plain);
    if (!wanted.every((tag) => own.includes(tag))) return [];
    const relevance = words === null ? null : scoreRelevance(words, skill);
    return words !== null && relevance === null ? [] : [{ skill, relevance }];
  });
}

/** The sum of the weights of all fields that contain each word; null if a word is in none. */
function scoreRelevance(
  words: readonly string[],
  { id, aliases, name, description, tags }: ListedSkill,
): number | null {
  const fields = [
    { text: plain(name), weight: fieldWeights.name },
    { text: plain(description), weight: fieldWeights.description },
    { text: tags.map(plain).join("\n"), weight: fieldWeights.tag },
    { text: [id, ...aliases].map(plain).join("\n"), weight: fieldWeights.id },
  ];
  let sum = 0;
  for (const word of words) {
    const found = fields.filter(({ text }) => text.includes(word));
    if (found.length === 0) return null;
    sum += found.reduce((weights, { weight }) => weights + weight, 0);
  }
  return sum;
}

/** Text without the differences nobody types: case, and the ways Unicode can write one letter. */
function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
