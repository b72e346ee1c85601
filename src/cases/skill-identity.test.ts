import { expect, test } from "vitest";
import type { LoadedCase } from "../contract/loaded-case.ts";
import type { Skill } from "../contract/skill.ts";
import { skillIdentity } from "./skill-identity.ts";

/** A skill in a folder of its name, with a body of three bytes. */
function skill(id: string, given: Partial<Skill> = {}): Skill {
  const instructions = { path: "SKILL.md", format: "md" };
  const texts = { tags: [], intents: [], triggers: [], notFor: [], examples: [], aliases: [] };
  const controls = { group: null, hosts: [], priority: 0, enabled: true, modelInvocable: true };
  return {
    ...{ id, name: id, kind: "agent", source: "project", dir: `/skills/${id}`, description: "Helps." },
    ...{ ...texts, instructions, controls, tools: [], output: null, digest: "sha256:1" },
    ...{ files: [{ path: "SKILL.md", bytes: 3, sha256: "a" }], ...given },
  } as unknown as Skill;
}

/** A case of the skill `own`. */
function scripted(text: string, given: object = {}): LoadedCase {
  return {
    level: "L1",
    file: "/skills/own/eval.yaml",
    case: { input: text },
    ...given,
  } as unknown as LoadedCase;
}

test("a scripted case rests on its own skill and on those it names, by id, alias, folder or tool", () => {
  const tool = { name: "repeat" } as Skill["tools"][number];
  const rests = (text: string, one: Skill, given: object = {}) =>
    "digest" in (skillIdentity(scripted(text, given), false)(one) as object);

  expect(rests("", skill("own"))).toBe(true);
  expect(rests("take other", skill("other"))).toBe(true);
  expect(rests("take o2", skill("other", { aliases: ["o2"] }))).toBe(true);
  expect(rests("call repeat", skill("other", { tools: [tool] }))).toBe(true);
  expect(rests("call it", skill("other", { tools: [tool] }))).toBe(false);
  expect(rests("call it", skill("other"), { level: "L2" })).toBe(true);
});

test("of other skills only what is in the index matters", () => {
  const identity = skillIdentity(scripted("x"), false);
  const before = identity(skill("other"));

  expect(identity(skill("other", { digest: "sha256:2" }))).toEqual(before);
  expect(identity(skill("other", { description: "Helps more." }))).not.toEqual(before);
  const longer = [{ path: "SKILL.md", bytes: 4, sha256: "a" }];
  expect(identity(skill("other", { files: longer }))).not.toEqual(before);
  expect(skillIdentity(scripted("x"), true)(skill("other"))).toHaveProperty("digest");
});
