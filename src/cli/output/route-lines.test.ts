import { expect, test } from "vitest";
import { fewHostileTexts, hiddenCharacters } from "../../../test/hostile-texts.ts";
import type { RoutedSkill, Routing } from "../../contract/routing.ts";
import { textWidth } from "../../report/text/text-width.ts";
import { routeLines } from "./route-lines.ts";

function routed(given: Partial<RoutedSkill>): RoutedSkill {
  return {
    id: "doc-editor",
    rank: null,
    selected: given.excluded === undefined,
    score: 0.154,
    lex: 0.154,
    emb: null,
    cos: null,
    phrase: 0,
    text: 0.257,
    hits: [],
    terms: [],
    priority: 0,
    group: null,
    excluded: null,
    ...given,
  };
}

const hit = (kind: RoutedSkill["hits"][number]["kind"], phrase: string, negated = false) => ({
  kind,
  phrase,
  negated,
});

const first = routed({
  id: "contract-review",
  rank: 1,
  score: 0.612,
  lex: 0.612,
  phrase: 0.36,
  text: 0.657,
  hits: [hit("trigger", "合同"), hit("trigger", "违约")],
  terms: ["条款", "审阅"],
});
const below = routed({ excluded: "below-threshold" });

const routing: Routing = {
  mode: "lexical",
  model: null,
  fallbackReason: "no embedder",
  margin: null,
  closeCall: false,
  catalogSha256: "ca7a",
  routerVersion: "1",
  total: 17,
  eligible: 9,
  minScore: 0.2,
  skills: [first, below],
};

const plain = { color: false, width: null, all: true };

test("with all, those left out stand below the selected with their reason", () => {
  expect(routeLines(routing, plain)).toBe(
    `mode lexical (no embedder)   17 skills, 9 eligible   min 0.20
#  skill            score  lex    emb  phrase  text   because
1  contract-review  0.612  0.612  –    0.360   0.657  triggers 合同, 违约; terms 条款 审阅
–  doc-editor       0.154  0.154  –    0.000   0.257  below-threshold
`,
  );
});

test("without it, only the selected are reported", () => {
  expect(routeLines(routing, { ...plain, all: false })).not.toContain("doc-editor");
});

test("columns line up below names in Chinese, and no line is wider than the terminal", () => {
  const skills = [{ ...first, id: "合同审阅", terms: Array(40).fill("条款") }, below];
  const lines = routeLines({ ...routing, skills }, { ...plain, width: 80 }).split("\n");

  expect(lines[2]).toMatch(/^1 {2}合同审阅 {4}0\.612/);
  expect(lines[3]).toMatch(/^– {2}doc-editor {2}0\.154/);
  expect(lines.filter((line) => textWidth(line) > 80)).toEqual([]);
});

test("vectors, their model, a close call and every kind of phrase are reported", () => {
  const skill = routed({
    id: "slides",
    rank: 1,
    emb: 0.5,
    cos: 0.7123,
    hits: [hit("id", "slides"), hit("tag", "deck"), hit("intent", "present"), hit("trigger", "ppt", true)],
  });
  const text = routeLines(
    {
      ...routing,
      mode: "vectors",
      model: "minilm",
      fallbackReason: null,
      skills: [skill],
      margin: 0.0123,
      closeCall: true,
    },
    plain,
  );

  expect(text).toContain("mode vectors (minilm)   17 skills");
  expect(text).toContain("0.500  0.000   0.257  id slides; tag deck; intent present; cosine 0.712\n");
  expect(text).toContain("close call: the first is 0.012 ahead of the second\n");
});

test("a negation and a negative trigger name the phrase that put a skill out", () => {
  const skills = [
    routed({ id: "a", excluded: "negated", hits: [hit("trigger", "创建PPT", true)] }),
    routed({ id: "b", excluded: "not-for", hits: [hit("trigger", "x"), hit("not-for", "translate")] }),
  ];
  const text = routeLines({ ...routing, skills }, plain);

  expect(text).toContain("  negated: 创建PPT\n");
  expect(text).toContain("  not-for: translate\n");
  expect(text).toContain("nothing selected; the best is a with 0.154 (negated)\n");
});

test("an empty request selects nothing", () => {
  const skills = [routed({ score: 0, excluded: "empty-query" })];

  expect(routeLines({ ...routing, skills }, { ...plain, all: false })).toBe(
    "mode lexical (no embedder)   17 skills, 9 eligible   min 0.20\nnothing selected: the request is empty (empty-query)\n",
  );
});

test("where nobody is eligible, or nobody has anything to do with the request, that is reported", () => {
  const skills = [routed({ score: 0, excluded: "below-threshold" })];
  const none = routeLines({ ...routing, skills }, { ...plain, all: false });
  const ineligible = routeLines({ ...routing, eligible: 0, skills: [] }, { ...plain, all: false });

  expect(none).toContain("\nnothing selected: no skill matches the request\n");
  expect(ineligible).toContain("\nnothing selected: no skill is eligible (--all shows why)\n");
});

test("colour changes nothing but colour", () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking the colours away is its purpose
  expect(routeLines(routing, { ...plain, color: true }).replace(/\u001b\[\d+m/g, "")).toBe(
    routeLines(routing, plain),
  );
});

test("fault row 36: hostile names and phrases print as visible text", () => {
  for (const text of fewHostileTexts) {
    const skills = [routed({ id: text, rank: 1, hits: [hit("trigger", text)], terms: [text] })];
    const lines = routeLines({ ...routing, fallbackReason: text, skills }, plain);

    expect(lines).not.toMatch(hiddenCharacters);
    expect(lines.split("\n")).toHaveLength(4);
  }
});
