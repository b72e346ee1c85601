import type { SkillSource } from "../../contract/skill.ts";
import { listed } from "../../shared/text/phrases.ts";
import { inOrder } from "../../shared/text/sort-and-group.ts";
import { UserError } from "../../shared/user-error.ts";

/** What decides between skills of one id. */
export interface RankedSkill {
  id: string;
  source: SkillSource;
  /** The smaller wins. */
  rank: number;
  /** Absolute. Within one rank the first in code-unit order wins; when a file was changed never decides. */
  dir: string;
  /** As the user would name it. */
  shown: string;
}

/** Several skills of one id: who won, and why. Folders are named as the user would. */
export interface SkillConflict {
  name: string;
  winner: string;
  losers: string[];
  /** The losers lie in roots of lower rank, or later by path in the same one. */
  rule: "rank" | "path";
}

/** A finding about a skill that is caused by another skill. */
interface DuplicateFinding<Ranked> {
  about: Ranked;
  code: "SKD04" | "SKD05";
  message: string;
}

interface Resolution<Ranked> {
  /** One per id, by rank and path. */
  winners: Ranked[];
  losers: Ranked[];
  /** By name. */
  conflicts: SkillConflict[];
  findings: DuplicateFinding<Ranked>[];
}

/** Decides between skills of one id, whatever the order they come in. */
export function resolveDuplicates<Ranked extends RankedSkill>(skills: readonly Ranked[]): Resolution<Ranked> {
  const winners = new Map<string, Ranked>();
  const firstOfRank = new Map<string, Ranked>();
  const losers: Ranked[] = [];
  const conflicts = new Map<string, SkillConflict>();
  const findings: DuplicateFinding<Ranked>[] = [];
  for (const skill of [...skills].sort(byRank)) {
    const { id, rank, source, shown } = skill;
    const winner = winners.get(id);
    const other = firstOfRank.get(`${rank} ${id}`);
    if (winner === undefined) winners.set(id, skill);
    if (other === undefined) firstOfRank.set(`${rank} ${id}`, skill);
    else
      findings.push({
        about: skill,
        code: "SKD04",
        message: `duplicate id "${id}" in ${other.shown} and ${shown}`,
      });
    if (winner === undefined) continue;
    losers.push(skill);
    const rule = winner.rank === rank ? "path" : "rank";
    const known = conflicts.get(`${rule} ${id}`);
    if (known === undefined)
      conflicts.set(`${rule} ${id}`, { name: id, winner: winner.shown, losers: [shown], rule });
    else known.losers.push(shown);
    if (rule === "rank")
      findings.push({
        about: skill,
        code: "SKD05",
        message: `${id} (${source}) is shadowed by ${winner.shown}`,
      });
  }
  return {
    winners: [...winners.values()],
    losers,
    conflicts: [...conflicts.values()].sort((a, b) => inOrder(a.name, b.name) || inOrder(a.rule, b.rule)),
    findings,
  };
}

function byRank(a: RankedSkill, b: RankedSkill): number {
  return a.rank - b.rank || inOrder(a.dir, b.dir);
}

/** A skill, and the file that says its id. */
interface NamedSkill {
  id: string;
  path: string;
}

interface DuplicateId<Named> {
  skill: Named;
  /** Names both files. */
  message: string;
}

/** The skills whose id is that of one before them. Without ranks it is unclear which of the two is meant. */
export function duplicateIds<Named extends NamedSkill>(skills: readonly Named[]): DuplicateId<Named>[] {
  const first = new Map<string, Named>();
  return skills.flatMap((skill) => {
    const other = first.get(skill.id);
    if (other === undefined) first.set(skill.id, skill);
    const message = `duplicate skill id \`${skill.id}\` in ${other?.path} and ${skill.path}`;
    return other === undefined ? [] : [{ skill, message }];
  });
}

/** Refuses skills of which several have one id: names the first two, and the others after them. */
export function refuseDuplicateIds(
  skills: readonly NamedSkill[],
  { jsonPath, hint = "rename one of them" }: { jsonPath?: string; hint?: string } = {},
): void {
  const [first, ...others] = duplicateIds(skills);
  if (first === undefined) return;
  const names = others.map(({ skill }) => `\`${skill.id}\` in ${skill.path}`);
  const more = others.length === 0 ? "" : `; ${others.length} more: ${listed(names, maxNamed)}`;
  throw new UserError("skill-duplicate", `${first.message}${more}`, {
    path: first.skill.path,
    jsonPath,
    hint,
  });
}

const maxNamed = 5;
