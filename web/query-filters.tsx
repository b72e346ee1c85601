import { useMemo } from "preact/hooks";
import { ChoiceOf } from "./choice-of.tsx";
import { type ChosenQueries, everyQuery, type QueryChoice } from "./choose-queries.ts";
import { ClearFilters } from "./clear-filters.tsx";
import { frequentTags } from "./frequent-tags.ts";
import { SearchBox } from "./search-box.tsx";
import { type ShownQuery, standingMarks, standings } from "./shown-query.ts";
import { StatusChips } from "./status-chips.tsx";

const tagLimit = 500;
const sides = ["should_match", "should_not_match"] as const;

/** Where the reader says which queries to show. */
export function QueryFilters(props: {
  queries: readonly ShownQuery[];
  skillIds: readonly string[];
  counts: ChosenQueries["counts"];
  choice: QueryChoice;
  onChoice: (choice: QueryChoice) => void;
}) {
  const { queries, skillIds, counts, choice, onChoice } = props;
  const tags = useMemo(() => frequentTags(queries, tagLimit), [queries]);
  const { skillId, tag, side } = choice;
  const isFiltered =
    choice.text !== "" || choice.standings.length > 0 || side !== null || skillId !== null || tag !== null;
  return (
    <search class="filters">
      <SearchBox
        label="Search query, skill, tag, reason and reply"
        placeholder="Search query, reason, reply …"
        text={choice.text}
        onText={(text) => onChoice({ ...choice, text })}
      />
      {skillIds.length > 1 && (
        <ChoiceOf
          label="Skill"
          all="All skills"
          items={skillIds}
          chosen={skillId}
          onChoose={(skillId) => onChoice({ ...choice, skillId })}
        />
      )}
      <ChoiceOf
        label="Side"
        all="Both sides"
        items={sides}
        chosen={side}
        onChoose={(side) => onChoice({ ...choice, side })}
      />
      {tags.length > 0 && (
        <ChoiceOf
          label="Tag"
          all="All tags"
          items={tags}
          chosen={tag}
          onChoose={(tag) => onChoice({ ...choice, tag })}
        />
      )}
      <StatusChips
        legend="Verdict"
        chips={standings.map((standing) => ({
          word: standing,
          mark: standingMarks[standing],
          count: counts[standing],
        }))}
        pressed={choice.standings}
        onPress={(pressed) => onChoice({ ...choice, standings: pressed })}
      />
      {isFiltered && <ClearFilters onClear={() => onChoice({ ...everyQuery, order: choice.order })} />}
    </search>
  );
}
