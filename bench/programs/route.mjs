// Routes requests among 2,000 made-up skills beside a loop that only looks for their words, and prints milliseconds per request.
import { openRouter } from "../../src/routing/open-router.ts";
import { memoryCache } from "../../src/store/memory-cache.ts";

const count = Number(process.argv[2] ?? 2000);
const rounds = Number(process.argv[3] ?? 200);
const { signal } = new AbortController();
const filters = { host: null, groups: [], allow: [] };
const settings = { cjk: "bigrams", minScore: 0.2, k: 4 };

const chance = chanceFrom(1);
const english = Array.from({ length: 2000 }, () => Array.from({ length: 2 + pick(2) }, syllable).join(""));
const chinese = Array.from({ length: 800 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 97) % 20_000)));
const skills = Array.from({ length: count }, (_, n) => makeSkill(n));
const queries = {
  English: Array.from({ length: 40 }, (_, n) => `please ${words(9)} ${skills[n * 7].triggers[0]}`),
  Chinese: Array.from(
    { length: 40 },
    (_, n) => `帮我${han(16)}，不要${han(6)}，${skills[n * 11].triggers[1]}`,
  ),
};

const began = performance.now();
const router = openRouter({ skills, filters, settings, embedding: null });
const indexMs = performance.now() - began;

const texts = skills.map((skill) =>
  [skill.id, skill.description, ...skill.triggers].join("\n").toLowerCase(),
);
const bare = (query) => {
  const terms = query.toLowerCase().split(/[\s，]+/);
  return texts.map((text) => terms.filter((term) => text.includes(term)).length);
};
const vectors = openRouter({
  skills,
  filters,
  settings,
  embedding: { embedders: { han: embedder("zh"), other: embedder("en") }, cache: memoryCache() },
});

const times = { bare: [], ours: [], English: [], Chinese: [], vectors: [] };
for (let round = -40; round < rounds; round++)
  for (const [language, list] of Object.entries(queries)) {
    const query = list[(round + 40) % list.length];
    const alone = await timed(() => bare(query));
    const ours = await timed(() => router.route({ query }, signal));
    const both = await timed(() => vectors.route({ query }, signal));
    if (round < 0) continue; // until the engine has compiled what runs often
    times.bare.push(alone);
    times.ours.push(ours);
    times[language].push(ours);
    times.vectors.push(both);
  }
const medians = Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
console.log(JSON.stringify({ ...medians, indexMs }));

async function timed(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function makeSkill(n) {
  return {
    id: `${words(2).replace(" ", "-")}-${n}`,
    aliases: [],
    name: han(4),
    kind: "prompt-tool",
    group: n % 3 === 0 ? `group-${n % 7}` : null,
    description: `${words(30)}. ${han(40)}。`,
    tags: [words(1), han(2)],
    intents: [han(2)],
    triggers: Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? words(2) : han(4))),
    notFor: [words(3), han(5)],
    examples: [words(8), han(12)],
    outputSchema: null,
    styleHints: null,
    hosts: [],
    priority: n % 5,
    isEnabled: true,
    hasPrompt: true,
    toolNames: [],
  };
}

/** Few words are in most texts, most are in few. */
function words(length) {
  return Array.from({ length }, () => english[Math.floor(english.length * chance() ** 2)]).join(" ");
}

function han(length) {
  return Array.from({ length }, () => chinese[Math.floor(chinese.length * chance() ** 2)]).join("");
}

function syllable() {
  return "bdfgklmnprstvz"[pick(14)] + "aeiou"[pick(5)] + "rnlst"[pick(5)];
}

function pick(below) {
  return Math.floor(chance() * below);
}

function embedder(model) {
  const dim = 384;
  return {
    model: `made-up/${model}`,
    dim,
    embed: async (list) => ({ status: "embedded", vectors: list.map((text) => vectorOf(text, dim)) }),
  };
}

function vectorOf(text, dim) {
  let seed = 7;
  for (const character of text) seed = (seed * 31 + character.codePointAt(0)) % 2_147_483_647;
  const next = chanceFrom(seed);
  return Float32Array.from({ length: dim }, () => next() - 0.4);
}

function chanceFrom(seed) {
  let state = seed + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
