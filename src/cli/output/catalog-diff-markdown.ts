import type {
  CatalogDiff,
  ComparedQuery,
  MovedQueries,
} from "../../operations/catalog/compare/catalog-report.ts";
import { percent, percentBounds } from "../../report/text/format-numbers.ts";
import { escapeMarkdown, markdownTable, numberColumn, wordColumn } from "../../report/text/markdown.ts";
import { shortenMiddle } from "../../report/text/text-width.ts";
import { listed } from "../../shared/text/phrases.ts";
import {
  chance,
  countQueries,
  describeCatalogDiff,
  describeFlipRate,
  describeJudge,
  describeNewQueries,
  describeTools,
} from "./catalog-words.ts";

const maxListed = 50;
const maxTextLength = 200;

/** What an edit did to the requests of all skills, for a comment on a pull request. */
export function* catalogDiffMarkdown(diff: CatalogDiff): Generator<string> {
  const sure = diff.moved.filter(({ isInconclusive }) => !isInconclusive);
  const unsure = diff.moved.filter(({ isInconclusive }) => isInconclusive);
  yield `# ${escapeMarkdown(describeCatalogDiff(diff))}\n\n`;
  yield `${escapeMarkdown(factTable(diff))}\n`;
  yield* movedList("Moved", sure);
  yield* movedList("Inconclusive", unsure);
  yield* plainList(
    "Now selected together",
    diff.closer.map(
      ({ skills: [a, b], before, after }) => `${a} and ${b} for ${countQueries(after)}, before ${before}`,
    ),
  );
  yield* queryList("Lost", diff, "lost");
  yield* queryList("Gained", diff, "gained");
  yield* queryList("Without an answer", diff, "unknown");
  yield* skillTable(diff);
  yield* newList(diff);
  yield* catalogList(diff);
  yield* plainList("Warnings", diff.warnings);
}

function factTable({ base, judges, queries, ...diff }: CatalogDiff): string {
  const flips = describeFlipRate({ base, judges, queries, ...diff });
  const who = judges.map((judge) => `judge: ${describeJudge(judge)}`);
  return [`base ${base}`, countQueries(queries.length), ...who, ...(flips === null ? [] : [flips])].join(
    "; ",
  );
}

function* movedList(title: string, pairs: readonly MovedQueries[]): Generator<string> {
  if (pairs.length === 0) return;
  yield `\n## ${title}\n\n`;
  for (const { sentence, queries } of pairs.slice(0, maxListed)) {
    yield `- ${codedIds(sentence)}\n`;
    for (const { query, because } of queries.slice(0, maxListed))
      yield `  - ${text(query)}${because === "" ? "" : `: ${text(because)}`}\n`;
  }
  yield* rest(pairs.length);
}

/** The ids of a sentence stay as code, the rest of it is plain words. */
function codedIds(sentence: string): string {
  return sentence
    .split("`")
    .map((part, at) => (at % 2 === 0 ? escapeMarkdown(part) : `**${escapeMarkdown(part)}**`))
    .join("");
}

function* queryList(
  title: string,
  { queries }: CatalogDiff,
  change: ComparedQuery["change"],
): Generator<string> {
  const own = queries.filter((query) => query.change === change);
  if (own.length === 0) return;
  yield `\n## ${title}\n\n`;
  for (const { query, skillId, meantFor, after } of own.slice(0, maxListed)) {
    const whose = meantFor === null ? `not for ${skillId}` : `for ${meantFor}`;
    const now = after === undefined || after === meantFor ? "" : `, now ${after ?? "none"}`;
    yield `- ${text(query)}: ${text(`${whose}${now}`)}\n`;
  }
  yield* rest(own.length);
}

function* skillTable({ skills }: CatalogDiff): Generator<string> {
  const changed = skills.filter(({ isEdited, gained, lost }) => isEdited || gained + lost > 0);
  if (changed.length === 0) return;
  yield "\n## Recall\n\n";
  const columns = [
    wordColumn("Skill"),
    wordColumn("Edited"),
    wordColumn("Verdict"),
    numberColumn("Before"),
    numberColumn("After"),
    wordColumn("95 %"),
    numberColumn("Queries"),
    numberColumn("Gained"),
    numberColumn("Lost"),
    numberColumn("McNemar p"),
  ];
  const rows = changed.map((skill) => [
    shortenMiddle(skill.skillId, maxTextLength),
    skill.isEdited ? "yes" : "",
    skill.verdict,
    percent(skill.recall.before.rate),
    percent(skill.recall.after.rate),
    percentBounds(skill.recall.after.interval),
    String(skill.queries),
    String(skill.gained),
    String(skill.lost),
    chance(skill.mcnemarP),
  ]);
  yield* markdownTable(columns, rows);
}

function* newList({ newQueries }: CatalogDiff): Generator<string> {
  if (newQueries.length === 0) return;
  yield `\n## ${describeNewQueries(newQueries)}\n`;
  const wrong = newQueries.filter(({ isRight }) => isRight !== true);
  if (wrong.length > 0) yield "\n";
  for (const { query, skillId, isRight } of wrong.slice(0, maxListed))
    yield `- ${text(query)}: ${text(`${skillId}, ${isRight === null ? "no answer" : "wrong"}`)}\n`;
  yield* rest(wrong.length);
}

function* catalogList({ added, removed, tools }: CatalogDiff): Generator<string> {
  const gone = removed.map(({ skillId, queries }) => `${skillId} (${countQueries(queries)})`);
  yield* plainList("Skills and tools", [
    ...(added.length > 0 ? [`added: ${listed(added, maxListed)}`] : []),
    ...(gone.length > 0 ? [`removed: ${listed(gone, maxListed)}`] : []),
    ...tools.map((change) => `tools of ${change.skillId}: ${describeTools(change)}`),
  ]);
}

function* plainList(title: string, lines: readonly string[]): Generator<string> {
  if (lines.length === 0) return;
  yield `\n## ${title}\n\n`;
  for (const line of lines.slice(0, maxListed)) yield `- ${escapeMarkdown(line)}\n`;
  yield* rest(lines.length);
}

function* rest(count: number): Generator<string> {
  if (count > maxListed) yield `- … and ${count - maxListed} more\n`;
}

function text(words: string): string {
  return escapeMarkdown(shortenMiddle(words, maxTextLength));
}
