import { useMemo } from "preact/hooks";
import { Choice } from "./choice.tsx";
import { type ChosenQueries, everyQuery, type QueryChoice } from "./choose-queries.ts";
import { itemAt, placeIn } from "./chosen-place.ts";
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
        <Choice
          label="Skill"
          all="All skills"
          options={skillIds}
          chosen={placeIn(skillIds, skillId)}
          onChoose={(place) => onChoice({ ...choice, skillId: itemAt(skillIds, place) })}
        />
      )}
      <Choice
        label="Side"
        all="Both sides"
        options={sides}
        chosen={placeIn(sides, side)}
        onChoose={(place) => onChoice({ ...choice, side: itemAt(sides, place) })}
      />
      {tags.length > 0 && (
        <Choice
          label="Tag"
          all="All tags"
          options={tags}
          chosen={placeIn(tags, tag)}
          onChoose={(place) => onChoice({ ...choice, tag: itemAt(tags, place) })}
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
      {isFiltered && (
        <button type="button" class="quiet" onClick={() => onChoice({ ...everyQuery, order: choice.order })}>
          Clear filters
        </button>
      )}
    </search>
  );
}
