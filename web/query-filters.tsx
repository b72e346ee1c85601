import { ChoiceOf } from "./choice-of.tsx";
import { type ChosenQueries, everyQuery, type QueryChoice } from "./choose-queries.ts";
import { FilterBar } from "./filter-bar.tsx";
import { type ShownQuery, standingMarks, standings } from "./shown-query.ts";
import { TagChoice } from "./tag-choice.tsx";

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
  const { skillId, tag, side } = choice;
  return (
    <FilterBar
      label="Search query, skill, tag, reason and reply"
      placeholder="Search query, reason, reply …"
      text={choice.text}
      onText={(text) => onChoice({ ...choice, text })}
      legend="Verdict"
      chips={standings.map((standing) => ({
        word: standing,
        mark: standingMarks[standing],
        count: counts[standing],
      }))}
      pressed={choice.standings}
      onPress={(standings) => onChoice({ ...choice, standings })}
      chosen={[skillId, tag, side]}
      onClear={() => onChoice({ ...everyQuery, order: choice.order })}
    >
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
      <TagChoice rows={queries} chosen={tag} onChoose={(tag) => onChoice({ ...choice, tag })} />
    </FilterBar>
  );
}
