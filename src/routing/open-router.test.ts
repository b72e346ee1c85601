import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { offTopicQueries, sampleCatalog, sampleSkill } from "../../test/builders/sample-catalog.ts";
import type { RoutableSkill, RouteRequest, RoutingFilters, RoutingSettings } from "../contract/routing.ts";
import { openRouter } from "./open-router.ts";

const { signal } = new AbortController();
const defaults: RoutingSettings = { cjk: "bigrams", minScore: 0.2, k: 4 };
const everyone: RoutingFilters = { host: null, groups: [], allow: [] };

interface Setting extends Partial<RoutingFilters>, Partial<RoutingSettings> {
  skills?: readonly RoutableSkill[];
}

function lexicalRouter({ skills = sampleCatalog, ...more }: Setting = {}) {
  const { host, groups, allow, cjk, minScore, k } = { ...everyone, ...defaults, ...more };
  return openRouter({
    skills,
    filters: { host, groups, allow },
    settings: { cjk, minScore, k },
    embedding: null,
  });
}

const defaultRouter = lexicalRouter();

const routed = (request: string | RouteRequest, setting?: Setting) =>
  (setting === undefined ? defaultRouter : lexicalRouter(setting)).route(
    typeof request === "string" ? { query: request } : request,
    signal,
  );

/** The selected by rank. */
const chosen = async (query: string, setting?: Setting) =>
  (await routed(query, setting)).skills.filter(({ selected }) => selected).map(({ id }) => id);

const reasonOf = async (id: string, query: string, setting?: Setting) =>
  (await routed(query, setting)).skills.find((skill) => skill.id === id)?.excluded;

test("a request about some skills gets the same choice, and the others are not reported", async () => {
  const id = "refactor";
  for (const setting of [{}, { minScore: 0 }, { k: 1 }, { host: "wps" }])
    for (const query of [
      ...offTopicQueries,
      "refactor src/foo.py",
      "make slides of our figures",
      "合同",
      " ",
    ]) {
      const all = await routed(query, setting);
      const { skills, ...rest } = await routed({ query, about: [id] }, setting);

      expect({ ...rest, skills: all.skills }).toEqual(all);
      expect(skills).toEqual(all.skills.filter((skill) => skill.selected || skill.id === id));
    }
});

describe("requests find their skill by words alone", () => {
  test.for([
    ["refactor src/foo.py to remove the global state", ["refactor"]],
    ["summarise the transcript of yesterday's meeting", ["meeting-minutes"]],
    ["why is this query on Postgres so slow", ["sql-tuning"]],
    ["make slides of our quarterly figures", ["sales-report", "slide-deck"]],
    ["不要创建PPT，只要大纲", ["outline-writer"]],
    ["合同里的付款期限有没有风险", ["contract-review"]],
    ["核对一下这批发票的金额", ["invoice-check"]],
    ["把数据画成柱状图", ["data-chart"]],
    ["别忘了排版", ["doc-format"]],
  ] as const)("%s → %j", async ([query, ids]) => {
    expect(await chosen(query)).toEqual(ids);
  });

  test("and at most 2 of 40 that are for none of them select anything", async () => {
    const selecting: string[] = [];
    for (const query of offTopicQueries) if ((await chosen(query)).length > 0) selecting.push(query);

    expect(offTopicQueries).toHaveLength(40);
    expect(selecting.length).toBeLessThanOrEqual(2);
  });
});

describe("every skill left out has its reason", () => {
  test.for<[string, string, string, Setting?]>([
    ["ppt-maker", "不要创建PPT，只要大纲", "negated"],
    ["contract-review", "按合同风险起草合同", "not-for"],
    ["contract-draft", "看合同风险，不要起草合同", "negated", { skills: [draft()] }],
    ["code-review", "把数据画成柱状图", "below-threshold"],
    ["code-review", "  \n", "empty-query"],
    ["data-chart", "柱状图", "host", { host: "word" }],
    ["doc-format", "柱状图", "below-threshold", { host: "et" }],
    ["doc-format", "排版", "group", { groups: ["合同"] }],
    ["doc-format", "排版", "not-allowed", { allow: ["refactor"] }],
    ["sheet-formula", "审合同，看合同风险和违约条款，顺便写公式", "group-mutex"],
    ["slide-deck", "make slides of our quarterly figures", "beyond-k", { k: 1 }],
    ["off", "off", "disabled", { skills: [sampleSkill({ id: "off", isEnabled: false })] }],
    ["mute", "mute", "no-prompt", { skills: [sampleSkill({ id: "mute", hasPrompt: false })] }],
  ])("%s for %j: %s", async ([id, query, reason, setting]) => {
    expect(await reasonOf(id, query, setting)).toBe(reason);
  });

  test("one that is named only to say no is out whatever else speaks for it", async () => {
    const skills = [
      sampleSkill({ id: "z", description: "tables charts figures", tags: ["chart"], triggers: ["slides"] }),
    ];

    expect(await reasonOf("z", "no slides. tables, chart and figures", { skills })).toBe("negated");
    expect(await reasonOf("z", "no slides. then slides", { skills })).toBeNull();
  });

  test("a negative trigger under negation keeps nobody away", async () => {
    expect(await chosen("审合同，不要起草合同")).toContain("contract-review");
  });

  function draft(): RoutableSkill {
    return sampleSkill({
      id: "contract-draft",
      triggers: ["不存在"],
      name: "起草合同",
      notFor: ["合同风险"],
    });
  }
});

test("an empty request selects nobody, and no embedder is asked for", async () => {
  const routing = await routed("   ");

  expect(routing).toMatchObject({ mode: "lexical", fallbackReason: "no embedder", margin: null });
  expect(routing.skills.every(({ selected, score }) => !selected && score === 0)).toBe(true);
});

test("a routing holds enough to decide again", async () => {
  const skills = [
    sampleSkill({ id: "b", name: "审合同", description: "合同 条款", triggers: ["违约"], priority: 3 }),
    sampleSkill({ id: "a", isEnabled: false }),
  ];
  const routing = await routed("审合同：违约条款", { skills });
  const text = 1 - Math.exp(-(4 * Math.log(1 + 50.5 / 1.5)) / 10);

  expect(routing).toEqual({
    mode: "lexical",
    model: null,
    fallbackReason: "no embedder",
    margin: null,
    closeCall: false,
    catalogSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    routerVersion: "router/1",
    total: 2,
    eligible: 1,
    minScore: 0.2,
    skills: [
      {
        id: "b",
        rank: 1,
        selected: true,
        score: expect.closeTo(1 - (1 - 1.45 / 2.5) * (1 - 0.6 * text), 5),
        lex: expect.closeTo(1 - (1 - 1.45 / 2.5) * (1 - 0.6 * text), 5),
        emb: null,
        cos: null,
        phrase: 0.58,
        text: expect.closeTo(text, 5),
        hits: [
          { kind: "name", phrase: "审合同", negated: false },
          { kind: "trigger", phrase: "违约", negated: false },
        ],
        terms: ["合同", "审合", "条款", "违约"],
        priority: 3,
        group: null,
        excluded: null,
      },
      {
        ...{
          id: "a",
          rank: null,
          selected: false,
          score: 0,
          lex: 0,
          emb: null,
          cos: null,
          phrase: 0,
          text: 0,
        },
        ...{ hits: [], terms: [], priority: 0, group: null, excluded: "disabled" },
      },
    ],
  });
});

describe("an example that is the request itself", () => {
  const example = "please tally the zebra crossings";
  const skills = [
    sampleSkill({ id: "z", description: "Counts stripes", examples: [example, "another"] }),
    sampleSkill({ id: "y", description: "Paints a crossing" }),
  ];

  test("makes a skill find itself, unless its routing text does without it", async () => {
    const plain = await routed(example, { skills });
    const without = await routed({ query: example, without: { skillId: "z", example } }, { skills });
    const edited = await routed(example, {
      skills: [
        sampleSkill({ id: "z", description: "Counts stripes", examples: ["another"] }),
        ...skills.slice(1),
      ],
    });

    expect(plain.skills[0]).toMatchObject({ id: "z", selected: true });
    expect(without.skills.find(({ id }) => id === "z")).toMatchObject({ selected: false, terms: [] });
    expect(without.skills).toEqual(edited.skills);
  });

  test("is left out for that request alone", async () => {
    const router = lexicalRouter({ skills });
    const before = await router.route({ query: example }, signal);
    await router.route({ query: example, without: { skillId: "z", example } }, signal);
    await router.route({ query: example, without: { skillId: "nobody", example } }, signal);

    expect(await router.route({ query: example }, signal)).toEqual(before);
  });
});

describe("the same catalog gives the same routing", () => {
  const queries = [...offTopicQueries.slice(0, 3), "make slides, not an outline", "审合同，别忘了排版"];

  test("in whatever order its skills were found", async () => {
    const routers = [sampleCatalog, [...sampleCatalog].reverse()].map((skills) => lexicalRouter({ skills }));
    const answers = routers.map(async (router) => {
      const routings = queries.map((query) => router.route({ query }, signal));
      return JSON.stringify([router.identity, await Promise.all(routings)]);
    });

    expect(await answers[0]).toBe(await answers[1]);
  });

  test.for<[string, Partial<RoutableSkill>, boolean]>([
    ["a trigger", { triggers: ["new"] }, true],
    ["a negative trigger", { notFor: ["new"] }, true],
    ["hosts", { hosts: ["et"] }, true],
    ["priority", { priority: 1 }, true],
    ["group", { group: "g" }, true],
    ["whether it is enabled", { isEnabled: false }, true],
    ["the folder it is installed in", { aliases: ["elsewhere"] }, false],
  ])("and its digest changes with %s: %j", ([, change, isChanged]) => {
    const digest = (skill: RoutableSkill) => lexicalRouter({ skills: [skill] }).catalogSha256;
    const before = sampleSkill({ id: "z" });

    expect(digest({ ...before, ...change }) !== digest(before)).toBe(isChanged);
  });

  test("and whatever changes its choices changes its identity", () => {
    const settings: Setting[] = [
      {},
      { k: 3 },
      { minScore: 0.3 },
      { cjk: "segment" },
      { host: "et" },
      { groups: ["g"] },
      { allow: ["refactor"] },
      { skills: sampleCatalog.slice(1) },
    ];
    const identities = settings.map((setting) => JSON.stringify(lexicalRouter(setting).identity));

    expect(new Set(identities).size).toBe(settings.length);
    expect(lexicalRouter()).toMatchObject({ version: "router/1", mode: "lexical" });
  });
});

test("a request that is called off is not answered", async () => {
  const stop = AbortSignal.abort(new Error("enough"));

  await expect(lexicalRouter().route({ query: "slides" }, stop)).rejects.toThrow("enough");
});

test("an endless request is read as far as anybody would write", async () => {
  const query = `${"合同slides, ".repeat(100_000)}refactor`;

  expect(await chosen(query)).not.toContain("refactor");
});

test("whatever skills and requests say, the rules hold", async () => {
  const word = fc.constantFrom(
    "合同",
    "slides",
    "review",
    "不要",
    "not",
    "et",
    "排版",
    "，",
    " ",
    "No",
    "ＰＰＴ",
  );
  const phrase = fc.oneof(
    fc.array(word, { maxLength: 4 }).map((words) => words.join("")),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  const list = fc.array(phrase, { maxLength: 4 });
  const skill = fc.record({
    id: phrase,
    name: phrase,
    group: fc.option(fc.constantFrom("g", "h")),
    description: phrase,
    tags: list,
    triggers: list,
    notFor: list,
    examples: list,
    priority: fc.nat(2),
    isEnabled: fc.boolean(),
  });
  const skills = fc.uniqueArray(skill, { maxLength: 8, selector: ({ id }) => id });
  await fc.assert(
    fc.asyncProperty(skills, phrase, fc.integer({ min: 1, max: 4 }), async (generated, query, k) => {
      const catalog = generated.map(sampleSkill);
      const routing = await routed(query, { skills: catalog, k });
      const selected = routing.skills.filter((one) => one.selected);

      expect(selected.length).toBeLessThanOrEqual(k);
      expect(new Set(selected.flatMap(({ group }) => group ?? [])).size).toBeLessThanOrEqual(1);
      expect(routing.skills.map(({ id }) => id).sort()).toEqual(catalog.map(({ id }) => id).sort());
      for (const one of routing.skills) {
        for (const figure of [one.score, one.lex, one.phrase, one.text]) {
          expect(figure).toBeGreaterThanOrEqual(0);
          expect(figure).toBeLessThanOrEqual(1);
        }
        expect(one.selected).toBe(one.excluded === null);
        if (one.selected) expect(one.score).toBeGreaterThanOrEqual(0.2);
      }
      expect(await routed(query, { skills: [...catalog].reverse(), k })).toEqual(routing);
    }),
    { numRuns: 50 },
  );
});
