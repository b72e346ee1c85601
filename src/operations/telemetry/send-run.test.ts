import { expect, test } from "vitest";
import { agentProject } from "../../../test/agent-project.ts";
import { openSqliteStore } from "../../store/sqlite.ts";
import type { SpanTree } from "../../telemetry/otlp/export-spans.ts";
import { runTree } from "./send-run.ts";

/** A tree that was read to its end. */
interface WholeTree extends Omit<SpanTree, "children"> {
  children: WholeTree[];
}

async function whole(tree: SpanTree): Promise<WholeTree> {
  const children: WholeTree[] = [];
  for await (const child of tree.children) children.push(await whole(child));
  return { ...tree, children };
}

const listing = (tree: WholeTree): object => ({
  name: tree.name,
  status: tree.status,
  ...(tree.message !== undefined && { message: tree.message }),
  children: tree.children.map(listing),
});

/** Everything of these names among the attributes of a tree. */
function* valuesOf(tree: WholeTree, name: string): Generator<unknown> {
  if (tree.attributes[name] !== undefined && tree.attributes[name] !== null) yield tree.attributes[name];
  for (const child of tree.children) yield* valuesOf(child, name);
}

const talk = {
  id: "talk",
  kind: "conversation",
  input: "hello there",
  setup: { skill_roots: ["./skills"], route: { forced: "adder" } },
  mock: {
    turns: [
      { call: { name: "add", arguments: { a: 1, b: 2 } } },
      { call: { name: "add", arguments: { a: "x" } } },
      { final: "3" },
    ],
  },
  expect: { tool_calls: [{ name: "add" }] },
};
const act = {
  id: "act",
  input: "hello",
  mock: { turns: [{ action: { type: "final_answer", payload: { content: "hi" } } }] },
  expect: {},
};

const files = {
  "skills/adder/skill.json": {
    schema_version: "ah32.skill.v1",
    meta: { id: "adder", name: "Adder" },
    entry: { system_prompt: "SYSTEM.md" },
    tools: [
      {
        name: "add",
        description: "adds",
        parameters: {
          type: "object",
          properties: { a: { type: "number" }, b: { type: "number" } },
          required: ["a", "b"],
        },
      },
    ],
  },
  "skills/adder/SYSTEM.md": "Add.\n",
  "skills/adder/scripts/add.py": "def add(a, b, **kwargs):\n    return {'sum': a + b}\n",
  "suite.yaml": { suite: "s", cases: [talk, act] },
};

test("a cell has the calls of models and tools below it, in their order, and texts only where they are wanted", async () => {
  await using project = await agentProject(files);
  const { document } = await project.run(["agent", "eval", "suite.yaml", "--json", "--sandbox", "process"]);
  const run = { ...document.run, exitCode: document.exitCode };
  await using store = await openSqliteStore(project.at("eval-skills.db"));
  const tree = (content: boolean) => whole(runTree(run, () => store.results(run.id), content));

  const bare = await tree(false);
  const cell = (name: string) => bare.children.filter((child) => child.name === name).map(listing);

  expect(cell("mock talk")).toEqual([
    {
      name: "mock talk",
      status: "ok",
      children: [
        { name: "chat mock", status: "ok", children: [] },
        { name: "execute_tool add", status: "ok", children: [] },
        { name: "chat mock", status: "ok", children: [] },
        { name: "execute_tool add", status: "error", message: "bad-arguments", children: [] },
        { name: "chat mock", status: "ok", children: [] },
      ],
    },
  ]);
  expect(cell("mock act")).toMatchObject([{ children: [{ name: "chat mock", status: "ok" }] }]);
  expect([...valuesOf(bare, "gen_ai.tool.call.arguments")]).toEqual([]);
  const facts = { "eval.skill.id": null, "gen_ai.request.model": "mock" };
  expect(bare.children.map(({ attributes }) => attributes)).toMatchObject([facts, facts]);
  expect([...valuesOf(bare, "eval.level")].sort()).toEqual(["agent", "conversation"]);
  expect([...valuesOf(await tree(true), "gen_ai.tool.call.arguments")]).toEqual([
    '{"a":1,"b":2}',
    '{"a":"x"}',
  ]);
  const keys = (one: WholeTree): string[] => [one.key, ...one.children.flatMap(keys)];
  const all = keys(bare);
  expect(new Set(all).size).toBe(all.length);
});
