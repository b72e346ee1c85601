import type { CatalogDiff, MovedQueries } from "../../operations/catalog/compare/catalog-report.ts";
import { type Annotation, workflowCommand } from "../../report/text/github-command.ts";
import { shortenMiddle } from "../../report/text/text-width.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";

/** GitHub shows ten annotations of a kind per step and drops the others. */
const maxAnnotations = 10;
const maxQueries = 3;

/** The file and line of a skill's description. */
export type FindSkillLocation = (skillId: string) => Pick<Annotation, "file" | "line">;

/** The workflow commands that show on GitHub who took whose requests, at the description that was edited. */
export function* catalogDiffAnnotations(
  { moved, exitCode }: CatalogDiff,
  findLocation: FindSkillLocation,
): Generator<string> {
  const sure = moved.filter(({ isInconclusive }) => !isInconclusive);
  const level = exitCode === 1 ? "error" : "warning";
  for (const pair of sure.slice(0, maxAnnotations))
    yield workflowCommand({ level, ...describeMove(pair), ...findLocation(guilty(pair)) });
  const more = sure.length - maxAnnotations;
  if (more > 0)
    yield workflowCommand({
      level: "notice",
      title: "catalog diff",
      message: `and ${pluralize(more, "more pair")} of skills between which queries moved`,
    });
}

/** The skill to annotate: the one that took requests, unless only the one that lost them was edited. */
function guilty({ from, to, isEdited, sentence }: MovedQueries): string {
  return !isEdited && sentence.endsWith("which was edited") ? from : to;
}

function describeMove({ from, to, sentence, queries }: MovedQueries): Pick<Annotation, "title" | "message"> {
  const texts = queries.map(({ query }) => JSON.stringify(shortenMiddle(query, 80)));
  return {
    title: `${shortenMiddle(to, 60)} takes queries of ${shortenMiddle(from, 60)}`,
    message: `${sentence}: ${listed(texts, maxQueries)}`,
  };
}
