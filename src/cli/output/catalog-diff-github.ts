import type { CatalogDiff, MovedQueries } from "../../operations/catalog/compare/catalog-report.ts";
import { type Annotation, workflowCommand } from "../../report/text/github-command.ts";
import { shortenMiddle } from "../../report/text/text-width.ts";
import { countOf, listed } from "../../shared/text/phrases.ts";

/** GitHub shows ten annotations of a kind per step and drops the others. */
const maxAnnotations = 10;
const maxQueries = 3;

/** Where the description of a skill stands. */
export type PlaceOfSkill = (skillId: string) => Pick<Annotation, "file" | "line">;

/** The workflow commands that show on GitHub who took whose requests, at the description that was edited. */
export function* catalogDiffAnnotations(
  { moved, exitCode }: CatalogDiff,
  placeOf: PlaceOfSkill,
): Generator<string> {
  const sure = moved.filter(({ isInconclusive }) => !isInconclusive);
  const level = exitCode === 1 ? "error" : "warning";
  for (const pair of sure.slice(0, maxAnnotations))
    yield workflowCommand({ level, ...annotationOf(pair), ...placeOf(guilty(pair)) });
  const more = sure.length - maxAnnotations;
  if (more > 0)
    yield workflowCommand({
      level: "notice",
      title: "catalog diff",
      message: `and ${countOf(more, "more pair")} of skills between which queries moved`,
    });
}

/** Whose description to look at: who took something and was edited, or lost something and was. */
function guilty({ from, to, isEdited, sentence }: MovedQueries): string {
  return !isEdited && sentence.endsWith("which was edited") ? from : to;
}

function annotationOf({ from, to, sentence, queries }: MovedQueries): Pick<Annotation, "title" | "message"> {
  const texts = queries.map(({ query }) => JSON.stringify(shortenMiddle(query, 80)));
  return {
    title: `${shortenMiddle(to, 60)} takes queries of ${shortenMiddle(from, 60)}`,
    message: `${sentence}: ${listed(texts, maxQueries)}`,
  };
}
