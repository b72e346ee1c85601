import { expect, test } from "vitest";
import type { ShownSkill } from "../../contract/skill-facts.ts";
import { textWidth } from "../../report/text/text-width.ts";
import { skillTable } from "./skill-table.ts";

const skill: ShownSkill = {
  id: "weather_v1",
  aliases: [],
  name: "天气 Weather",
  version: "1.2.0",
  kind: "unit",
  adapterType: "http",
  tags: ["web", "data"],
  description: "Tells the weather",
  path: "skills/weather_v1/skill.json",
  relevance: null,
  dir: "/project/skills/weather_v1",
  completionRate: 0.9167,
  tokens: null,
};
const agent: ShownSkill = {
  ...skill,
  id: "my-notes",
  name: "my-notes",
  version: null,
  kind: "agent-skill",
  adapterType: null,
  tags: [],
  completionRate: null,
  tokens: { metadata: 98, body: 1240, resources: 0, isCapped: false },
};

test("one line per skill, aligned, with the kind where there is no adapter", () => {
  expect(skillTable([skill, agent], { color: false, width: null }).split("\n")).toEqual([
    "ID          Name          Version  Adapter      Tags       Completion      Tokens",
    "weather_v1  天气 Weather  1.2.0    http         web, data       91.7%           –",
    "my-notes    my-notes      –        agent-skill  –                   –  98 + 1,240",
  ]);
});

test("it fits a terminal, and hostile names stay text", () => {
  const hostile = { ...skill, id: "x".repeat(300), name: "\u001b[31mred\nline", tags: ["t".repeat(50)] };

  const text = skillTable([hostile, agent], { color: false, width: 70 });

  for (const line of text.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(70);
  expect(text).not.toContain("\u001b");
  expect(text.split("\n")).toHaveLength(3);
});
