import { describe, expect, test } from "vitest";
import { type LevelSample, levelSample, sampleView } from "../../../test/level-samples.ts";
import { chineseReason, hostile, renamed } from "../../../test/sample-variants.ts";
import type { Format, RenderOptions } from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";

/** How formats differ; everything else holds for all of them. */
export interface FormatTraits {
  /** The visible part of its text, where that is not all of it. */
  shown?(text: string): string;
  /** Whether people read it as it is: its verdict is in words and its texts have the lines they have. */
  isForPeople?: boolean;
  /** Whether it has no place for what holds of the whole run. */
  isAboutCells?: boolean;
  /** How a pass on the second attempt is visible. */
  retried?: string;
  /** How the share of such passes is visible. */
  retriedShare?: RegExp;
  /** Throws where a text of the report became active content. `plain` is the same report with harmless texts. */
  checkInert(text: string, plain: string, sample: LevelSample): void;
}

/** All of a report as a format writes it. */
export function rendered(format: Format, sample: LevelSample, options: Partial<RenderOptions> = {}): string {
  let text = "";
  for (const piece of format.render(sampleView(sample, options))) text += piece;
  return text;
}

/** What every format must do with every level. Run it over yours: `formatContract(format, traits, levels)`. */
export function formatContract(format: Format, traits: FormatTraits, levels: readonly Level[]): void {
  const {
    shown = (text) => text,
    isForPeople,
    isAboutCells,
    retried = "passed on attempt 2",
    checkInert,
  } = traits;
  const { retriedShare = /\d\.\d% retried/ } = traits;
  const show = (sample: LevelSample, options?: Partial<RenderOptions>) =>
    shown(rendered(format, sample, options));

  describe.each(levels.map((level) => [level.name, level] as const))(
    `the format contract: ${format.format} of %s`,
    (_, level) => {
      test("the same report gives the same bytes", async () => {
        const first = rendered(format, await levelSample(level));

        expect(first).not.toBe("");
        expect(rendered(format, await levelSample(level))).toBe(first);
      });

      test("a run over nothing and one without any verdict are shown, and neither as a success", async () => {
        const { none, unknown } = await levelSamples(level);
        const bare = { ...none, report: { ...none.report, suites: [], subjects: [], cases: [], gates: [] } };
        expect([none, unknown].map(({ report }) => report.exitCode)).toEqual([3, 3]);

        for (const sample of [none, bare, unknown]) {
          const text = show(sample);
          if (!isForPeople) continue;
          expectWords(text, sampleView(sample).verdict.words);
          expect(around(text, /\ball( \w+)? passed/i)).toBeUndefined();
        }
      });

      test("a foreign report whose subjects and cells have no details is shown", async () => {
        const { cells, report, ...rest } = (await levelSamples(level)).plain;
        const subjects = report.subjects.map((subject) => ({ ...subject, details: {}, metrics: {} }));
        const poor = (text: string) => JSON.stringify({ ...JSON.parse(text), details: {}, output: null });

        const text = show({
          ...rest,
          report: { ...report, subjects },
          cells: (filter) => [...cells(filter)].map(poor),
        });

        expect(around(text, /\bNaN\b|\[object Object\]/)).toBeUndefined();
      });

      test("the verdict is in words, and every case that failed is named or counted", async () => {
        const { plain } = await levelSamples(level);
        const view = sampleView(plain);
        for (const maxFailures of [{ cases: 5, subjects: 10 }, { cases: 2, subjects: 10 }, null]) {
          const text = show(plain, { maxFailures });
          if (isForPeople) expectWords(text, view.verdict.words);
          for (const subject of view.subjects.filter(({ state }) => state === "failed")) {
            const { cases } = view.failures(subject, Number.POSITIVE_INFINITY);
            const missing = cases.filter(({ caseId }) => !text.includes(caseId));
            const counted = [...text.matchAll(/\b(\d+) more\b/g)].map(([, count]) => Number(count));
            expect(Math.max(0, ...counted)).toBeGreaterThanOrEqual(missing.length);
          }
        }
      });

      test("a failure that a retry turned into a pass stays visible", async () => {
        expectWords(show((await levelSamples(level)).plain), retried);
      });

      test("the share that passed only on a retry is stated", async () => {
        const text = show((await levelSamples(level)).plain);

        expect(text).toMatch(retriedShare);
      });

      test("what was granted is shown, and what was left out because it was not", async () => {
        if (isAboutCells) return;
        const text = show((await levelSamples(level)).plain).replace(/\s+/g, " ");
        for (const words of ["TEAKEY", "tea.example", "asks", "not granted: env:KEY"])
          expectWords(text, words);
      });

      test("what is in quarantine is shown with its last day and its reason, and named as nothing that failed", async () => {
        const { aside } = await levelSamples(level);
        const view = sampleView(aside);
        const failed = view.subjects.flatMap((subject) => view.failures(subject, 100).cases);

        expect(failed.filter(({ caseId }) => caseId.includes("breaks"))).toEqual([]);
        const text = show(aside).replace(/\s+/g, " ");
        for (const words of ["2027-01-31", "provider outage"]) expectWords(text, words);
        if (isForPeople) expectWords(text, view.verdict.words);
      });

      test("who looks after what failed is beside it", async () => {
        if (!isAboutCells) expectWords(show((await levelSamples(level)).aside), "docs-team");
      });

      test("no interval is shown without what it is about", async () => {
        const { plain } = await levelSamples(level);
        const hasIntervals = sampleView(plain).subjects.some(({ facts }) =>
          facts.some(({ interval, value }) => interval != null && value !== null),
        );

        // A level of one case a subject is no sample, and has none.
        expect(hasIntervals).toBe(level.isGatedByName !== true);
        if (isForPeople && hasIntervals)
          expect(show(plain)).toMatch(/95% interval\S* for cases like these \(\d+ cases/);
      });

      test("fault rows 36, 37 and 39: text of a stranger stays text, and nothing in it is hidden", async () => {
        const { nasty, plain } = await levelSamples(level);
        const text = rendered(format, nasty);

        checkInert(text, rendered(format, plain), nasty);
        expect(hiddenIn(shown(text))).toEqual([]);
        expect(Buffer.from(text).toString()).toBe(text);
      });

      test("a text of several lines has several lines", async () => {
        if (isForPeople) expect(lineWithEscape(show((await levelSamples(level)).plain))).toBe("");
      });

      test("no word of a long reason is cut, however narrow the place is", async () => {
        const { long } = await levelSamples(level);
        for (const width of [40, 80, null]) {
          const words = show(long, { width }).match(/\w*(qx|zq)\w*/g) ?? [];

          expect(words.length).toBeGreaterThan(0);
          expect(words.filter((word) => !/^qx\d{3}zq$/.test(word))).toEqual([]);
        }
      });

      test("Chinese stays Chinese", async () => {
        const text = show((await levelSamples(level)).chinese);

        expectWords(text.replace(/\s+/g, ""), chineseReason.slice(0, 12));
        expect(around(text, /\\u\{?[0-9a-f]{4}/i)).toBeUndefined();
      });
    },
  );
}

const longReason = Array.from({ length: 150 }, (_, at) => `qx${100 + at}zq`).join(" ");

async function makeSamples(level: Level) {
  const plain = await levelSample(level);
  return {
    plain,
    nasty: hostile(plain),
    none: await levelSample(level, { endsOf: () => [] }),
    unknown: await levelSample(level, { endsOf: () => ["invalid", "invalid"], maxInvalid: 0 }),
    aside: await levelSample(level, {
      quarantine: [{ case: "*/*breaks", until: "2027-01-31", reason: "provider outage" }],
      owners: [{ skill: "*", owner: "@docs-team" }],
    }),
    long: await levelSample(level, { failReason: longReason }),
    chinese: renamed(await levelSample(level, { failReason: chineseReason }), "检"),
  };
}

const known = new Map<Level, ReturnType<typeof makeSamples>>();

/** The samples of a level, made once for all formats: intervals are slow. */
function levelSamples(level: Level): ReturnType<typeof makeSamples> {
  const samples = known.get(level) ?? makeSamples(level);
  known.set(level, samples);
  return samples;
}

/** A failed test shows only the beginning of a page. */
function expectWords(text: string, words: string): void {
  if (!text.includes(words)) throw new Error(`“${words}” is not in:\n${text.trim().slice(0, 3000)}`);
}

/** What was found, with some of the text beside it. A pattern that asks for the whole line is slow on pages of one long line. */
function around(text: string, pattern: RegExp): string | undefined {
  const { index } = pattern.exec(text) ?? {};
  return index === undefined ? undefined : text.slice(Math.max(0, index - 80), index + 80);
}

/** Characters that move the cursor, change the direction or cannot be seen. */
function hiddenIn(text: string): string[] {
  const hidden = text.replace(/\r\n|[\n\t]/g, "").match(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu) ?? [];
  return [...new Set(hidden)].map((char) => `U+${char.codePointAt(0)?.toString(16)}`);
}

/** The first line that shows a line break as two characters. */
function lineWithEscape(text: string): string {
  return text.split("\n").find((line) => line.includes("\\n")) ?? "";
}
