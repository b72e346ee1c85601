import { expect, test } from "vitest";
import type { FoundSkill } from "../contract/found-skill.ts";
import { skillTable } from "./skill-table.ts";
import { textWidth } from "./text-width.ts";

const skill: FoundSkill = {
  id: "weather_v1",
  name: "天气 Weather",
  version: "1.2.0",
  kind: "unit",
  adapterType: "http",
  tags: ["web", "data"],
  description: "Tells the weather",
  path: "skills/weather_v1/skill.json",
  relevance: null,
  completionRate: 0.9167,
};
const agent: FoundSkill = {
  ...skill,
  id: "my-notes",
  name: "my-notes",
  version: null,
  kind: "agent-skill",
  adapterType: null,
  tags: [],
  completionRate: null,
};

test("one line per skill, aligned, with the kind where there is no adapter", () => {
  expect(skillTable([skill, agent], { color: false, width: null }).split("\n")).toEqual([
    "ID          Name          Version  Adapter      Tags       Completion",
    "weather_v1  天气 Weather  1.2.0    http         web, data       91.7%",
    "my-notes    my-notes      –        agent-skill  –                   –",
  ]);
});

test("it fits a terminal, and hostile names stay text", () => {
  const hostile = { ...skill, id: "x".repeat(300), name: "\u001b[31mred\nline", tags: ["t".repeat(50)] };

  const text = skillTable([hostile, agent], { color: false, width: 70 });

  for (const line of text.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(70);
  expect(text).not.toContain("\u001b");
  expect(text.split("\n")).toHaveLength(3);
});
