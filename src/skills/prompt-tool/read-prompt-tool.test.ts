import { describe, expect, test } from "vitest";
import { examined } from "../../../test/examined-skill.ts";

type Files = Record<string, string | Uint8Array>;
type Json = Record<string, unknown>;

const folder = "invoice-check";
const tool = {
  name: "sum_checker",
  description: "Compares line items with the stated total",
  parameters: {
    type: "object",
    properties: { doc_text: { type: "string" }, tolerance: { type: "number" } },
    required: ["doc_text"],
  },
};
const meta = {
  id: folder,
  name: "发票核对",
  version: "1.0.0",
  priority: 50,
  description: "Checks invoices for wrong totals",
};
/** The example of the specification. */
const example = {
  schema_version: "ah32.skill.v1",
  meta,
  entry: { system_prompt: "SYSTEM.md" },
  routing: {
    hosts: ["writer"],
    tags: ["发票"],
    triggers: ["核对发票", "check invoice"],
    examples: ["帮我核对这张发票的合计"],
  },
  tools: [tool],
  "x-not_for": ["开具发票"],
};
const least: Json = { schema_version: "ah32.skill.v1", meta: { id: folder, name: "Check" }, entry: {} };
const prompt = { "SYSTEM.md": "Check every line of the invoice.\n" };
const script = {
  "scripts/sum_checker.py":
    "def sum_checker(doc_text, tolerance=0.0):\n    return {'sum': len(doc_text), 'off': tolerance}\n",
};

/** A folder with a manifest, written over several lines as people do. */
function skill(manifest: Json, files: Files = prompt): Files {
  return { "skill.json": JSON.stringify(manifest, null, 2), ...files };
}

async function found(files: Files, name = folder): Promise<string[]> {
  return (await examined(files, { folder: name })).lines;
}

describe("the model of a skill", () => {
  test("is what the manifest says", async () => {
    const { skill: read, lines } = await examined(skill(example, { ...prompt, ...script }), { folder });

    expect(lines).toEqual([]);
    expect(read).toMatchObject({
      id: "invoice-check",
      aliases: [],
      kind: "prompt-tool",
      kinds: ["prompt-tool"],
      name: "发票核对",
      version: "1.0.0",
      description: "Checks invoices for wrong totals",
      tags: ["发票"],
      triggers: ["核对发票", "check invoice"],
      notFor: ["开具发票"],
      examples: ["帮我核对这张发票的合计"],
      manifest: expect.stringMatching(/\/invoice-check\/skill\.json$/),
      instructions: { path: "SYSTEM.md", format: "md" },
      tools: [{ ...tool, script: "scripts/sum_checker.py" }],
      scripts: ["scripts/sum_checker.py"],
      adapter: null,
      controls: { enabled: true, priority: 50, group: null, hosts: ["writer"], modelInvocable: true },
      extra: {},
    });
  });

  test("may be Chinese throughout", async () => {
    const chinese = {
      schema_version: "ah32.skill.v1",
      meta: { id: folder, name: "合同审阅助手", description: "审阅合同，标出风险条款", group: "合同" },
      entry: { system_prompt: "提示词.md" },
      routing: {
        hosts: ["writer", "wps"],
        tags: ["合同", "法务"],
        intents: ["审阅"],
        triggers: ["审合同", "合同风险"],
      },
      output: { markers: ["风险", "建议"], max_chars: 2000 },
      "x-not_for": ["起草合同", "翻译"],
    };
    const files = { "提示词.md": "# 任务\n逐条审阅合同。\n\n# 输出\n先列风险，再给建议。\n" };
    const { skill: read, lines } = await examined(skill(chinese, files), { folder });

    expect(lines).toEqual([]);
    expect(read).toMatchObject({
      name: "合同审阅助手",
      instructions: { path: "提示词.md" },
      notFor: ["起草合同", "翻译"],
    });
  });

  test("has defaults where little is given, and keeps unknown members", async () => {
    const { skill: bare } = await examined(skill(least), { folder });
    const rich = {
      ...least,
      meta: { id: folder, name: "Check", enabled: false, group: "invoices" },
      routing: {
        hosts: ["*"],
        intents: ["audit"],
        examples: [{ user: "one", assistant: "x" }, { input: "two" }],
      },
      delivery: { default_writeback: "direct", later: 1 },
      capabilities: { active_doc_text: true, writeback: {}, more: [] },
      output: { markers: ["合计"], styleSpecHints: { font: "song" } },
      tools: ["count_words"],
      "x-owner": { team: "finance" },
    };
    const { skill: reported } = await examined(
      skill(rich, { ...prompt, "scripts/count_words.py": "def count_words(doc_text):\n    return {}\n" }),
      { folder },
    );

    expect(bare).toMatchObject({
      version: "0.0.0",
      description: "",
      tools: [],
      extra: {},
      controls: { enabled: true, priority: 0, group: null, hosts: [] },
    });
    expect(reported).toMatchObject({
      examples: ["one", "two"],
      tools: [{ name: "count_words", description: "", parameters: null, script: "scripts/count_words.py" }],
      controls: { enabled: false, group: "invoices", hosts: [] },
      intents: ["audit"],
      output: { markers: ["合计"], styleSpecHints: { font: "song" } },
      extra: {
        delivery: { default_writeback: "direct", later: 1 },
        capabilities: { active_doc_text: true, writeback: { default_anchor: "cursor" }, more: [] },
        "x-owner": { team: "finance" },
      },
    });
  });

  test("names no tool that the manifest does not name, whatever lies below scripts/", async () => {
    for (const tools of [{ tools: [] }, {}]) {
      const { skill: read } = await examined(skill({ ...least, ...tools }, { ...prompt, ...script }), {
        folder,
      });

      expect(read).toMatchObject({ tools: [], scripts: ["scripts/sum_checker.py"] });
    }
  });

  test("of a prompt without manifest is the folder's name and what meta.yml says", async () => {
    const card =
      "description: Checks invoices\ntriggers: [check invoice]\nnot_for: write invoices; pay them\n";
    const { skill: read, lines } = await examined({ ...prompt, "meta.yml": card }, { folder });

    expect(lines).toEqual([]);
    expect(read).toMatchObject({
      id: folder,
      name: folder,
      version: "0.0.0",
      description: "Checks invoices",
      triggers: ["check invoice"],
      notFor: ["write invoices", "pay them"],
      manifest: null,
      instructions: { path: "SYSTEM.md", format: "md" },
      tools: [],
    });
  });
});

const long = "x".repeat(64);

describe("every row of the table of the manifest", () => {
  test.each<[string, Json]>([
    ["the least there can be", {}],
    ["a name of 64 characters, counted as people count", { meta: { id: folder, name: "𝒳".repeat(64) } }],
    ["a name of one", { meta: { id: folder, name: "核" } }],
    ["every part of meta", { meta: { ...meta, enabled: true, group: "g", priority: -3 } }],
    ["every host", { routing: { hosts: ["writer", "et", "wpp", "wps", "office"] } }],
    ["all hosts", { routing: { hosts: ["*"], tags: [], intents: [], triggers: [], examples: [] } }],
    ["an open delivery", { delivery: { default_writeback: "compare_table", anything: {} } }],
    ["the least number of characters", { capabilities: { active_doc_max_chars: 1, anything: 1 } }],
    ["the largest number of characters", { capabilities: { active_doc_max_chars: 200_000 } }],
    ["an anchor", { capabilities: { writeback: { default_anchor: "end" } } }],
    ["an output", { output: { markers: ["x"], max_chars: 500, styleSpecHints: "plain" } }],
    ["free keys", { "x-": null, "x-any": { thing: [] } }],
  ])("lets pass %s", async (_, change) => {
    expect(await found(skill({ ...least, ...change }))).toEqual([]);
  });

  test.each<[Json, string]>([
    [{ schema_version: "ah32.skill.v2" }, 'AHM01 schema_version "ah32.skill.v2" is not supported'],
    [{ meta: undefined }, "AHM02 $.meta: is required and missing"],
    [{ meta: { name: "x" } }, "AHM02 $.meta.id: is required and missing"],
    [{ meta: { id: folder } }, "AHM02 $.meta.name: is required and missing"],
    [{ meta: { id: folder, name: "" } }, 'AHM03 meta.name "": must not be empty'],
    [{ meta: { id: folder, name: `${long}x` } }, `AHM03 meta.name "${long}x": has more than 64 characters`],
    [{ meta: { id: folder, name: 5 } }, "AHM02 $.meta.name: must be text, not 5"],
    [{ meta: { ...meta, owner: "x" } }, "AHM02 $.meta.owner: is not known"],
    [{ meta: { ...meta, version: 1 } }, "AHM02 $.meta.version: must be text, not 1"],
    [
      { meta: { ...meta, enabled: "yes" } },
      'AHM02 $.meta.enabled: must be true or false, not the text "yes"',
    ],
    [{ meta: { ...meta, priority: 1.5 } }, "AHM02 $.meta.priority: must be a whole number, not 1.5"],
    [{ meta: { ...meta, description: null } }, "AHM02 $.meta.description: must be text, not null"],
    [{ meta: { ...meta, group: [] } }, "AHM02 $.meta.group: must be text, not a list"],
    [{ entry: undefined }, "AHM02 $.entry: is required and missing"],
    [{ entry: { file: "SYSTEM.md" } }, "AHM02 $.entry.file: is not known"],
    [{ entry: { system_prompt: "" } }, "AHM02 $.entry.system_prompt: must not be empty"],
    [{ entry: { prompt: 5 } }, "AHM02 $.entry.prompt: must be text, not 5"],
    [
      { routing: { hosts: ["excel"] } },
      expect.stringContaining('AHM02 $.routing.hosts[0]: may not be "excel"'),
    ],
    [{ routing: { when: "x" } }, "AHM02 $.routing.when: is not known"],
    [{ routing: { tags: [1] } }, "AHM02 $.routing.tags[0]: must be text, not 1"],
    [{ routing: { intents: {} } }, "AHM02 $.routing.intents: must be a list, not a map"],
    [{ routing: { triggers: [null] } }, "AHM02 $.routing.triggers[0]: must be text, not null"],
    [{ routing: { examples: [7] } }, "AHM02 $.routing.examples[0]: must be text or a map, not 7"],
    [{ routing: { examples: [{ text: "x" }] } }, "AHM02 $.routing.examples[0].user: is required and missing"],
    [{ delivery: [] }, "AHM02 $.delivery: must be a map, not a list"],
    [
      { delivery: { default_writeback: "inline" } },
      expect.stringContaining('AHM02 $.delivery.default_writeback: may not be "inline"'),
    ],
    [
      { capabilities: { active_doc_text: 1 } },
      "AHM02 $.capabilities.active_doc_text: must be true or false, not 1",
    ],
    [
      { capabilities: { active_doc_max_chars: 0 } },
      "AHM02 $.capabilities.active_doc_max_chars: must be at least 1",
    ],
    [
      { capabilities: { active_doc_max_chars: 200_001 } },
      "AHM02 $.capabilities.active_doc_max_chars: must be at most 200000",
    ],
    [{ capabilities: { writeback: { at: "end" } } }, "AHM02 $.capabilities.writeback.at: is not known"],
    [
      { capabilities: { writeback: { default_anchor: "top" } } },
      expect.stringContaining('AHM02 $.capabilities.writeback.default_anchor: may not be "top"'),
    ],
    [{ output: { markers: [1] } }, "AHM02 $.output.markers[0]: must be text, not 1"],
    [{ output: { output_schema: {} } }, "AHM02 $.output.output_schema: must be text or a list, not a map"],
    [{ output: { max_chars: "9" } }, 'AHM02 $.output.max_chars: must be a number, not the text "9"'],
    [{ output: { styleSpecHints: 1 } }, "AHM02 $.output.styleSpecHints: must be text or a map, not 1"],
    [{ output: { schema: "x" } }, "AHM02 $.output.schema: is not known"],
    [{ tools: {} }, "AHM02 $.tools: must be a list, not a map"],
    [{ tools: [5] }, "AHM02 $.tools[0]: must be text or a map, not 5"],
    [{ tools: [{ description: "x" }] }, "AHM02 $.tools[0].name: is required and missing"],
    [{ tools: [{ ...tool, script: "a.py" }] }, "AHM02 $.tools[0].script: is not known"],
    [{ routing: { tags: Array(20_000).fill("x") } }, "AHM02 $: contains more than 20000 values"],
    [{ note: 1 }, "AHM02 $.note: is not known"],
    [{ $schema: "x" }, "AHM02 $.$schema: is not known"],
    [{ __proto__: null, constructor: 1 }, "AHM02 $.constructor: is not known"],
  ])("%j is reported", async (change, line) => {
    const { skill: read, lines } = await examined(skill({ ...least, ...change }), { folder });

    expect(read).toBeNull();
    expect(lines.filter((one) => one.startsWith("AHM"))).toEqual([line]);
    expect(lines.filter((one) => one.startsWith("PTS01"))).toHaveLength(1);
  });

  test("a run loads a manifest with members that nobody knows, and warns of each", async () => {
    const files = skill({ ...least, note: 1, tools: [{ ...tool, script: "a.py" }] });

    const { skill: read, lines } = await examined(files, { folder, profile: "lenient" });

    expect(read?.tools).toMatchObject([{ name: tool.name }]);
    expect(lines.filter((one) => one.startsWith("AHM"))).toEqual([
      "AHM02 $.note: is not known",
      "AHM02 $.tools[0].script: is not known",
    ]);
  });

  test("hints of a tool are kept, and only warned of where they are wrong", async () => {
    const hinted = (hints: object) => examined(skill({ ...least, tools: [{ ...tool, hints }] }), { folder });
    const found = async (hints: object) => {
      const { skill: read, lines } = await hinted(hints);
      expect(read).not.toBeNull();
      return lines.filter((one) => one.startsWith("AHM"));
    };

    expect(await found({ turn_mode: "chat_only", triggers: ["explain"], anything: 1 })).toEqual([]);
    expect(await found({ mode: "loud", trigger: 5 })).toEqual([
      "AHM02 $.tools[0].hints.mode: must be one of background, no_writeback, chat_only",
      "AHM02 $.tools[0].hints.trigger: must be texts",
    ]);
    expect(await found(["x"])).toEqual(["AHM02 $.tools[0].hints: must be a map"]);
  });

  test("all of it at once, each at its location", async () => {
    const broken = {
      schema_version: "ah32.skill.v1",
      meta: { id: "A", name: "", priority: "high", owner: 1 },
      entry: { system_prompt: "none.md" },
      tools: [{ name: "a", parameters: { type: "array" } }],
      note: 1,
    };
    const { diagnostics } = await examined(skill(broken), { folder });

    const reported = diagnostics.filter(({ code }) => code.startsWith("AHM") || code === "PTS01");
    expect(reported.map(({ code, line, jsonPath }) => `${code} ${line} ${jsonPath}`)).toEqual([
      "PTS01 null null",
      "AHM03 4 $.meta.id",
      "AHM03 5 $.meta.name",
      "AHM02 6 $.meta.priority",
      "AHM02 7 $.meta.owner",
      "AHM04 10 $.entry.system_prompt",
      "AHM07 16 $.tools[0].parameters.type",
      "AHM02 20 $.note",
    ]);
    expect(reported[0]?.message).toBe("manifest: AHM02, AHM03, AHM04, AHM07");
  });
});

describe("ids", () => {
  test.each(["ab", "a-b_c", "0a", long])("%s is one", async (id) => {
    expect(await found(skill({ ...least, meta: { id, name: "x" } }), id)).toEqual([]);
  });

  test.each([
    ["a", "must have 2 to 64 characters"],
    [`${long}x`, "must have 2 to 64 characters"],
    ["-a", "must start with a-z or 0-9"],
    ["Ab", "only a-z, 0-9, - and _ are allowed"],
    ["技能", "only a-z, 0-9, - and _ are allowed"],
    ["../x", "only a-z, 0-9, - and _ are allowed"],
  ])("%s is none", async (id, reason) => {
    const lines = await found(skill({ ...least, meta: { id, name: "x" } }), "some-skill");

    expect(lines).toContain(`AHM03 meta.id "${id}": ${reason}`);
  });

  test("of a prompt alone is the folder's name; a run goes on with one that is none", async () => {
    const strict = await examined(prompt, { folder: "My Skill" });
    const lenient = await examined(prompt, { folder: "My Skill", profile: "lenient" });

    const line = 'AHM03 meta.id "My Skill": the folder name is the id: only a-z, 0-9, - and _ are allowed';
    expect(strict).toMatchObject({ skill: null, lines: [line, "PTS01 manifest: AHM03"] });
    expect(lenient).toMatchObject({ skill: { id: "My Skill" }, lines: [line] });
  });
});
