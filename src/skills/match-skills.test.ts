import { expect, test } from "vitest";
import type { ListedSkill } from "../contract/skill-facts.ts";
import { matchSkills, type SkillQuery } from "./match-skills.ts";

function skill(id: string, changes: Partial<ListedSkill> = {}): ListedSkill {
  return {
    id,
    aliases: [],
    name: id,
    version: "1.0.0",
    kind: "unit",
    adapterType: "subprocess",
    tags: [],
    description: "",
    path: `/${id}/skill.json`,
    dir: `/${id}`,
    ...changes,
  };
}

const search = skill("ws_1", {
  name: "Web Search",
  description: "Searches the web",
  tags: ["Web"],
  adapterType: "http",
});
const weather = skill("weather", { name: "天气 Wetter", tags: ["web", "data"] });
const notes = skill("notes", { kind: "agent-skill", adapterType: null, description: "Keeps notes" });
const all = [search, weather, notes];

function found(query: SkillQuery): string[] {
  return matchSkills(all, query).map(({ skill: { id } }) => id);
}

test.each<[SkillQuery, string[]]>([
  [{}, ["ws_1", "weather", "notes"]],
  [{ query: "search web" }, ["ws_1"]],
  [{ query: "  SEARCH   Web " }, ["ws_1"]],
  [{ query: "search notes" }, []],
  [{ query: "天气" }, ["weather"]],
  [{ query: "ws_1" }, ["ws_1"]],
  [{ query: "data" }, ["weather"]],
  [{ query: "ＷＥＢ" }, ["ws_1", "weather"]],
  [{ tags: ["WEB"] }, ["ws_1", "weather"]],
  [{ tags: ["web", "data"] }, ["weather"]],
  [{ tags: ["we"] }, []],
  [{ adapterType: "http" }, ["ws_1"]],
  [{ adapterType: "mcp" }, []],
  [{ query: "web", tags: ["data"], adapterType: "subprocess" }, ["weather"]],
])("%j finds %j", (query, ids) => {
  expect(found(query)).toEqual(ids);
});

test("a word counts 3 in the name, 2 in the description and 1 in the tags; the id only finds", () => {
  const relevance = (query: string) => matchSkills([search], { query })[0]?.relevance;

  expect(relevance("web")).toBe(6);
  expect(relevance("search")).toBe(5);
  expect(relevance("web search")).toBe(11);
  expect(relevance("ws_1")).toBe(0);
  expect(matchSkills([search], {})[0]?.relevance).toBeNull();
});

test("another name of a skill finds it as its id does", () => {
  const calc = skill("calc_v1", { aliases: ["number-cruncher"] });
  expect(matchSkills([calc, search], { query: "number-cruncher" })).toEqual([{ skill: calc, relevance: 0 }]);
});
