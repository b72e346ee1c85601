import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Diagnostics } from "../src/contract/diagnostics.ts";
import type { DescribedSkill } from "../src/contract/skill.ts";
import type { TriggerQuery } from "../src/contract/triggering.ts";
import { foldQuery } from "../src/levels/trigger/queries/make-query.ts";
import { readTriggering } from "../src/levels/trigger/queries/read-triggering.ts";
import { examineSkills } from "../src/operations/doctor/examine-skills.ts";
import { probes } from "../src/routing/probes.ts";
import { describeSkill } from "../src/skills/describe-skill.ts";
import { SkillFolder } from "../src/skills/folder/skill-folder.ts";

const root = resolve(import.meta.dirname, "../examples/office-team/skills");

/** A skill of the example suite with its queries. */
async function memberAt(name: string): Promise<{ skill: DescribedSkill; queries: TriggerQuery[] }> {
  const folder = new SkillFolder(`${root}/${name}`);
  const diagnostics = new Diagnostics("strict", name);
  const skill = await describeSkill(folder, "project", diagnostics);
  if (skill === null) throw new Error(`${name} cannot be read`);
  const triggering = await readTriggering(skill, (path) => folder.text(path), diagnostics);
  return { skill, queries: triggering?.queries ?? [] };
}

const members = await Promise.all(readdirSync(root).sort().map(memberAt));
const queries = members.flatMap((member) => member.queries);

describe("the office team", () => {
  test("doctor finds nothing wrong with any of its skills or queries", async () => {
    const { counts } = await examineSkills({
      paths: [root],
      roots: [],
      cwd: root,
      profile: "strict",
      kinds: [],
      failOn: "warning",
    });
    expect(counts).toEqual({ skills: members.length, errors: 0, warnings: 0, clean: members.length });
  });

  test("is large enough to say something, in two languages, with a third that is not for the skill", () => {
    const isChinese = ({ text }: TriggerQuery) => /\p{Script=Han}/u.test(text);
    const isHard = ({ tags }: TriggerQuery) => tags.includes("near-miss") || tags.includes("off-topic");
    const negatives = queries.filter(({ side }) => side === "should_not_match");

    expect(members.length).toBeGreaterThanOrEqual(20);
    expect(queries.length).toBeGreaterThanOrEqual(120);
    expect(queries.filter(isChinese).length).toBeGreaterThanOrEqual(Math.floor(queries.length / 2));
    expect(queries.filter(isHard).length).toBeGreaterThanOrEqual(queries.length / 3);
    expect(negatives.filter((query) => !isHard(query))).toEqual([]);
  });

  test("asks every question once", () => {
    const texts = queries.map(({ text }) => foldQuery(text));
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  test("no query is written in a card, and no example in a query", () => {
    const cards = members.flatMap(({ skill: { description, triggers, notFor, examples } }) =>
      [description, ...triggers, ...notFor, ...examples].map(foldQuery),
    );
    const examples = members.flatMap(({ skill }) => skill.examples.map(foldQuery));
    const isLeaked = (text: string) =>
      cards.some((card) => card.includes(text)) || examples.some((example) => text.includes(example));
    expect(queries.map(({ text }) => text).filter((text) => isLeaked(foldQuery(text)))).toEqual([]);
  });

  test("no query is one of the probes that the floor of vectors is made of", () => {
    const known = new Set(Object.values(probes).flat().map(foldQuery));
    expect(queries.map(({ text }) => text).filter((text) => known.has(foldQuery(text)))).toEqual([]);
  });

  test("has skills of both kinds, described in Chinese, in English and in both", () => {
    const kinds = new Set(members.map(({ skill }) => skill.kind));
    const languages = members.map(({ skill: { description } }) => {
      const isBoth = /\p{Script=Han}/u.test(description) && /[a-z]{3} [a-z]{3}/u.test(description);
      if (isBoth) return "both";
      return /\p{Script=Han}/u.test(description) ? "Chinese" : "English";
    });
    expect([...kinds].sort()).toEqual(["agent-skill", "prompt-tool"]);
    expect([...new Set(languages)].sort()).toEqual(["Chinese", "English", "both"]);
  });
});
