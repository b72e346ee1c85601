import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { offTopicQueries, sampleCatalog, sampleSkill } from "../../test/builders/sample-catalog.ts";
import type { VectorCache } from "../contract/cache.ts";
import type { Embedder, EmbedOutcome } from "../contract/model.ts";
import type { RoutableSkill, RoutingSettings } from "../contract/routing.ts";
import { memoryCache } from "../store/memory-cache.ts";
import { openRouter, type RouterEmbedding } from "./open-router.ts";
import { probes } from "./probes.ts";

const { signal } = new AbortController();
const defaults: RoutingSettings = { cjk: "bigrams", minScore: 0.2, k: 4 };
const filters = { host: null, groups: [], allow: [] };

const routerOf = (
  embedding: RouterEmbedding | null,
  skills: readonly RoutableSkill[] = sampleCatalog,
  k = 4,
) => openRouter({ skills, filters, settings: { ...defaults, k }, embedding });

const topics = [
  /slide|presentation|deck|演示|幻灯|ppt/i,
  /contract|agreement|lawyer|合同|协议|法务/i,
  /invoice|expense|receipt|发票|报销/i,
  /code|refactor|diff|function|代码/i,
];
const noiseSize = 24;
const dim = topics.length + noiseSize;

/** Knows a few topics in both languages; the rest is noise made of the text. */
function meaning(text: string): Float32Array {
  const noise = Array.from({ length: noiseSize }, (_, salt) => {
    let sum = 7 + salt;
    for (const character of text) sum = (sum * 31 + (character.codePointAt(0) as number) * (salt + 1)) % 997;
    return sum / 997 - 0.5;
  });
  return Float32Array.from([...topics.map((topic) => (topic.test(text) ? 4 : 0)), ...noise]);
}

/** An embedder that records its batches. */
function countingEmbedder(model: string, vectorOf = meaning, size = dim): Embedder & { batches: string[][] } {
  const batches: string[][] = [];
  return {
    model,
    dim: size,
    batches,
    async embed(texts): Promise<EmbedOutcome> {
      batches.push([...texts]);
      return { status: "embedded", vectors: texts.map(vectorOf) };
    },
    async [Symbol.asyncDispose]() {},
  };
}

const embeddedTexts = ({ batches }: { batches: string[][] }) => batches.flat();

describe("vectors", () => {
  test("find what no word finds, and say who spoke", async () => {
    const other = countingEmbedder("test/en");
    const skills = sampleCatalog.filter(({ id }) => id !== "ppt-maker" && id !== "contract-draft");
    const router = routerOf({ embedders: { other }, cache: memoryCache() }, skills);
    const routing = await router.route({ query: "my lawyer wants a look at that agreement" }, signal);

    expect(router.mode).toBe("vectors: test/en");
    expect(routing).toMatchObject({ mode: "vectors", model: "test/en", fallbackReason: null });
    expect(routing.skills[0]).toMatchObject({ id: "contract-review", selected: true, lex: 0 });
    expect(routing.skills[0]?.score).toBeCloseTo(0.72 * (routing.skills[0]?.emb as number), 5);
    expect(routing.skills.every(({ cos }) => cos !== null)).toBe(true);
  });

  test("are made once: 0 calls after a restart, 1 text for an edited skill", async () => {
    const cache = memoryCache();
    const ask = async (skills: readonly RoutableSkill[]) => {
      const embedders = { han: countingEmbedder("test/zh"), other: countingEmbedder("test/en") };
      const router = routerOf({ embedders, cache }, skills);
      await router.route({ query: "审阅协议" }, signal);
      await router.route({ query: "check the agreement" }, signal);
      return embedders;
    };
    const first = await ask(sampleCatalog);
    const again = await ask([...sampleCatalog].reverse());
    const edited = await ask(
      sampleCatalog.map((skill) => (skill.id === "refactor" ? { ...skill, description: "Edited." } : skill)),
    );

    expect(first.han.batches.map(({ length }) => length)).toEqual([32, sampleCatalog.length + 20 - 32, 1]);
    expect(embeddedTexts(first.other)).toEqual(
      expect.arrayContaining([...probes.other, "check the agreement"]),
    );
    expect([...again.han.batches, ...again.other.batches]).toEqual([]);
    expect(embeddedTexts(edited.han)).toEqual([expect.stringContaining("Edited.")]);
    expect(embeddedTexts(edited.other)).toEqual([expect.stringContaining("Edited.")]);
  });

  test.for([
    [1, 1],
    [8, 8],
    [0, 1],
    [100, 32],
  ] as const)("are asked for as many at once as the embedder takes: %d gives %d", async ([takes, gets]) => {
    const other = { ...countingEmbedder("test/en"), textsPerCall: takes };
    await routerOf({ embedders: { other }, cache: memoryCache() }).route({ query: "slides" }, signal);

    expect(Math.max(...other.batches.map(({ length }) => length))).toBe(gets);
  });

  test("of a Han request and of another are those of its own embedder", async () => {
    const embedders = { han: countingEmbedder("test/zh"), other: countingEmbedder("test/en") };
    const router = routerOf({ embedders, cache: memoryCache() });
    const han = await router.route({ query: "check 合同" }, signal);
    const untouched = embedders.other.batches.length;
    const other = await router.route({ query: "check contract" }, signal);

    expect(router.mode).toBe("vectors: test/zh, test/en");
    expect([han.model, other.model]).toEqual(["test/zh", "test/en"]);
    expect(untouched).toBe(0);
    expect(embeddedTexts(embedders.han)).toEqual(expect.arrayContaining([...probes.han]));
    expect(embeddedTexts(embedders.han)).not.toContain(probes.other[0]);
  });

  test("of one embedder for both classes are not made twice, also for requests at the same time", async () => {
    const one = countingEmbedder("test/both");
    const router = routerOf({ embedders: { han: one, other: one }, cache: memoryCache() });
    const queries = ["审阅协议", "check the agreement", "核对发票", "slides"];
    await Promise.all(queries.map((query) => router.route({ query }, signal)));

    expect(router.mode).toBe("vectors: test/both");
    expect(embeddedTexts(one)).toHaveLength(sampleCatalog.length + 40 + queries.length);
    expect(new Set(embeddedTexts(one)).size).toBe(sampleCatalog.length + 40 + queries.length);
  });

  test("that are all the same add nothing", async () => {
    const same = countingEmbedder("test/same", () => new Float32Array(dim).fill(0.3));
    const router = routerOf({ embedders: { han: same, other: same }, cache: memoryCache() });
    const words = routerOf(null);
    for (const query of [...offTopicQueries, "审合同"]) {
      const routing = await router.route({ query }, signal);

      expect(routing).toMatchObject({
        mode: "lexical",
        fallbackReason: expect.stringContaining("unusable floor"),
      });
      expect(routing.skills).toEqual((await words.route({ query }, signal)).skills);
    }
    expect(embeddedTexts(same).filter((text) => text === probes.han[0])).toHaveLength(1);
  });

  test("add and reorder, and lose nothing that words accept", async () => {
    const cache = memoryCache();
    const embedder = countingEmbedder("test/en");
    const query = fc.array(
      fc.constantFrom("slides", "合同", "review", "invoice", "code", "the", "refactor", "大纲"),
      {
        maxLength: 6,
      },
    );
    const router = routerOf({ embedders: { han: embedder, other: embedder }, cache }, sampleCatalog, 40);
    const words = routerOf(null, sampleCatalog, 40);
    await fc.assert(
      fc.asyncProperty(query, async (parts) => {
        const both = await router.route({ query: parts.join(" ") }, signal);
        const lexical = await words.route({ query: parts.join(" ") }, signal);
        for (const skill of lexical.skills) {
          const same = both.skills.find(({ id }) => id === skill.id);
          expect(same?.score).toBeGreaterThanOrEqual(skill.score);
          expect(same?.score).toBeLessThanOrEqual(1);
          if (skill.score >= 0.2) expect(same?.excluded).not.toBe("below-threshold");
        }
      }),
      { numRuns: 40 },
    );
  });

  test("only the nearest 12 and those that share a word are held against the floor", async () => {
    const skills = Array.from({ length: 30 }, (_, n) =>
      sampleSkill({ id: `s${n}`, description: n < 2 ? "agreement" : `other ${n}` }),
    );
    const embedder = countingEmbedder("test/en");
    const router = routerOf({ embedders: { other: embedder }, cache: memoryCache() }, skills, 1);
    const routing = await router.route({ query: "an agreement" }, signal);
    const held = routing.skills.filter(({ emb }) => emb !== null);

    expect(held.length).toBeGreaterThanOrEqual(12);
    expect(held.length).toBeLessThanOrEqual(14);
    expect(routing.skills.filter(({ cos }) => cos !== null)).toHaveLength(30);
  });

  test("of a request hold the document and, where it says little, recent turns; words do not", async () => {
    const embedder = countingEmbedder("test/en");
    const router = routerOf({ embedders: { other: embedder }, cache: memoryCache() });
    const around = {
      documentName: "d".repeat(130),
      recentTurns: ["old", "one", "refactor this", "t".repeat(90)],
    };
    const short = await router.route({ query: " and now? ", ...around }, signal);
    await router.route({ query: "a message that is long enough", ...around }, signal);

    expect(embedder.batches.at(-2)).toEqual([
      ["and now?", "d".repeat(120), "one", "refactor this", "t".repeat(80)].join("\n"),
    ]);
    expect(embedder.batches.at(-1)).toEqual([["a message that is long enough", "d".repeat(120)].join("\n")]);
    expect(short.skills.every(({ lex }) => lex === 0)).toBe(true);
  });

  test("of an example that is the request itself are made of the text without it", async () => {
    const embedder = countingEmbedder("test/zh");
    const router = routerOf({ embedders: { han: embedder }, cache: memoryCache() });
    const example = "帮我看看这份采购合同有没有坑";
    const plain = await router.route({ query: example }, signal);
    const without = await router.route(
      { query: example, without: { skillId: "contract-review", example } },
      signal,
    );
    const changed = embedder.batches.at(-1) as string[];
    const cosOf = ({ skills }: typeof plain) => skills.find(({ id }) => id === "contract-review")?.cos;

    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatch(/^contract-review\n/);
    expect(changed[0]).not.toContain(example);
    expect(cosOf(without)).not.toBe(cosOf(plain));
  });
});

describe("words alone decide, and the routing says why", () => {
  const failing = (outcome: () => Promise<EmbedOutcome>): Embedder => ({
    ...countingEmbedder("test/en"),
    embed: outcome,
  });
  const embedded =
    (...vectors: Float32Array[]) =>
    async () => ({ status: "embedded" as const, vectors });

  test.for<[string, Embedder | undefined, string]>([
    ["there is no embedder for the class", undefined, "no embedder for other requests"],
    [
      "it fails",
      failing(async () => ({ status: "failed", message: "401 Unauthorized" })),
      "embedder: 401 Unauthorized",
    ],
    ["it throws", failing(() => Promise.reject(new Error("boom"))), "embedder: boom"],
    ["it hangs", failing(() => new Promise(() => {})), "embedder: no answer within 0.001 s"],
    [
      "it gives too few vectors",
      failing(embedded(new Float32Array(dim))),
      "embedder: 1 vectors for 32 texts",
    ],
    [
      "the dimension is wrong",
      countingEmbedder("test/en", () => new Float32Array(3)),
      `embedder: wrong dimension: 3 instead of ${dim}`,
    ],
    [
      "a value is not a number",
      countingEmbedder("test/en", () => new Float32Array(dim).fill(Number.NaN)),
      "embedder: a vector contains a value that is not a finite number",
    ],
    [
      "a vector has no direction",
      countingEmbedder("test/en", () => new Float32Array(dim)),
      "unusable floor: the embedder does not distinguish texts",
    ],
  ])("where %s", async ([, other, reason]) => {
    const router = routerOf({
      embedders: { han: countingEmbedder("test/zh"), other },
      cache: memoryCache(),
      timeoutMs: 1,
    });
    const routing = await router.route({ query: "refactor this" }, signal);
    const lexical = await routerOf(null).route({ query: "refactor this" }, signal);

    expect(routing).toEqual({ ...lexical, fallbackReason: reason });
  });

  test("where the request itself has no direction, for that request only", async () => {
    const embedder = countingEmbedder("test/en", (text) =>
      text === "???" ? new Float32Array(dim) : meaning(text),
    );
    const router = routerOf({ embedders: { other: embedder }, cache: memoryCache() });

    expect((await router.route({ query: "???" }, signal)).fallbackReason).toContain("unusable floor");
    expect((await router.route({ query: "slides" }, signal)).mode).toBe("vectors");
  });

  test("where the cache fails", async () => {
    const cache: VectorCache = {
      ...memoryCache(),
      vectors: () => {
        throw new Error("disk full");
      },
    };
    const router = routerOf({ embedders: { other: countingEmbedder("test/en") }, cache });

    expect((await router.route({ query: "slides" }, signal)).fallbackReason).toBe("vectors: disk full");
  });

  test("where nobody takes part, or nothing is asked", async () => {
    const other = countingEmbedder("test/en");
    const embedding = { embedders: { other }, cache: memoryCache() };

    expect((await routerOf(embedding, []).route({ query: "x" }, signal)).fallbackReason).toBe(
      "no eligible skill",
    );
    expect((await routerOf(embedding).route({ query: " " }, signal)).fallbackReason).toBe("empty query");
    expect(
      (await routerOf({ ...embedding, embedders: {} }).route({ query: "x" }, signal)).fallbackReason,
    ).toBe("no embedder");
    expect(other.batches).toEqual([]);
  });

  test("for one request, and the next tries again and keeps what was made", async () => {
    const embedder = countingEmbedder("test/en");
    const { embed } = embedder;
    let calls = 0;
    embedder.embed = async (texts, stop) =>
      ++calls === 2 ? { status: "failed", message: "busy" } : embed(texts, stop);
    const router = routerOf({ embedders: { other: embedder }, cache: memoryCache() });

    expect((await router.route({ query: "slides" }, signal)).fallbackReason).toBe("embedder: busy");
    expect((await router.route({ query: "slides" }, signal)).mode).toBe("vectors");
    expect(embedder.batches.map(({ length }) => length)).toEqual([32, sampleCatalog.length + 20 - 32, 1]);
  });
});

test("whoever calls off a request calls off no other", async () => {
  const stop = new AbortController();
  const embedder = countingEmbedder("test/en");
  const { embed } = embedder;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  embedder.embed = (texts, callOff) => {
    begin();
    return embedder.batches.length === 0 && !stop.signal.aborted
      ? new Promise(() => {})
      : embed(texts, callOff);
  };
  const router = routerOf({ embedders: { other: embedder }, cache: memoryCache() });
  const first = router.route({ query: "slides" }, stop.signal);
  const second = router.route({ query: "refactor" }, signal);
  await begun;
  stop.abort(new Error("enough"));

  await expect(first).rejects.toThrow("enough");
  expect((await second).mode).toBe("vectors");
});
