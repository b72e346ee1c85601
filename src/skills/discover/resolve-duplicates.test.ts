import { expect, test } from "vitest";
import type { SkillSource } from "../../contract/skill.ts";
import { type RankedSkill, refuseDuplicateIds, resolveDuplicates } from "./resolve-duplicates.ts";

/** A skill named by its folder: `x@/p/.agent/skills/a`. */
function skill(text: string, rank: number, source: SkillSource = "project"): RankedSkill {
  const [id = "", dir = ""] = text.split("@");
  return { id, rank, source, dir, shown: dir.replace(/^\/p\//, "") };
}

const everyRoot = [
  skill("x@/p/.agent/skills/x", 2),
  skill("x@/p/.agents/skills/x", 3),
  skill("x@/p/.claude/skills/x", 4),
  skill("x@/home/.agent/skills/x", 5, "user"),
  skill("x@/home/.agents/skills/x", 6, "user"),
  skill("x@/product/skills/x", 7, "builtin"),
];

/** Some orders a file system could give: as they are, backwards, and turned by one, two and so on. */
function makeOrders<Item>(items: readonly Item[]): Item[][] {
  const turned = items.map((_, n) => [...items.slice(n), ...items.slice(0, n)]);
  return [...turned, ...turned.map((order) => [...order].reverse())];
}

function resolve(skills: readonly RankedSkill[]) {
  const { winners, losers, conflicts, findings } = resolveDuplicates(skills);
  return {
    winners: winners.map(({ shown }) => shown),
    losers: losers.map(({ shown }) => shown),
    conflicts,
    findings: findings.map(({ about, code, message }) => `${about.shown}: ${code} ${message}`),
  };
}

test("of one id in all roots the one of highest rank wins, in any order, and every loser is reported", () => {
  for (const order of makeOrders(everyRoot)) {
    expect(resolve(order)).toEqual({
      winners: [".agent/skills/x"],
      losers: [
        ".agents/skills/x",
        ".claude/skills/x",
        "/home/.agent/skills/x",
        "/home/.agents/skills/x",
        "/product/skills/x",
      ],
      conflicts: [
        {
          name: "x",
          winner: ".agent/skills/x",
          losers: [
            ".agents/skills/x",
            ".claude/skills/x",
            "/home/.agent/skills/x",
            "/home/.agents/skills/x",
            "/product/skills/x",
          ],
          rule: "rank",
        },
      ],
      findings: [
        ".agents/skills/x: SKD05 x (project) is shadowed by .agent/skills/x",
        ".claude/skills/x: SKD05 x (project) is shadowed by .agent/skills/x",
        "/home/.agent/skills/x: SKD05 x (user) is shadowed by .agent/skills/x",
        "/home/.agents/skills/x: SKD05 x (user) is shadowed by .agent/skills/x",
        "/product/skills/x: SKD05 x (builtin) is shadowed by .agent/skills/x",
      ],
    });
  }
});

test("of one id twice in one root the first by path wins, in any order, and the later one gets both findings", () => {
  const others = [skill("x@/p/s/b", 1), skill("x@/p/s/B", 1), skill("y@/p/s/y", 1), skill("x@/p/s/a", 1)];

  for (const order of makeOrders(others)) {
    expect(resolve(order)).toEqual({
      winners: ["s/B", "s/y"],
      losers: ["s/a", "s/b"],
      conflicts: [{ name: "x", winner: "s/B", losers: ["s/a", "s/b"], rule: "path" }],
      findings: ['s/a: SKD04 duplicate id "x" in s/B and s/a', 's/b: SKD04 duplicate id "x" in s/B and s/b'],
    });
  }
});

test("duplicates within a shadowed root are reported all the same", () => {
  const { winners, conflicts, findings } = resolve([
    skill("x@/p/low/b", 3),
    skill("x@/p/low/a", 3),
    skill("x@/p/high/x", 2),
  ]);

  expect(winners).toEqual(["high/x"]);
  expect(conflicts).toEqual([{ name: "x", winner: "high/x", losers: ["low/a", "low/b"], rule: "rank" }]);
  expect(findings).toEqual([
    "low/a: SKD05 x (project) is shadowed by high/x",
    'low/b: SKD04 duplicate id "x" in low/a and low/b',
    "low/b: SKD05 x (project) is shadowed by high/x",
  ]);
});

test("ids of their own are not a conflict", () => {
  expect(resolve([skill("b@/p/b", 1), skill("a@/p/a", 1)])).toEqual({
    winners: ["a", "b"],
    losers: [],
    conflicts: [],
    findings: [],
  });
});

test("of many skills of one id the first two are named, and the others after them", () => {
  const skills = ["a", "b", "c", "d"].map((folder) => ({ id: "dup", path: `skills/${folder}` }));

  expect(() => refuseDuplicateIds(skills)).toThrow(
    "duplicate skill id `dup` in skills/a and skills/b; 2 more: `dup` in skills/c, `dup` in skills/d",
  );
  expect(() => refuseDuplicateIds(skills.slice(0, 1))).not.toThrow();
});
