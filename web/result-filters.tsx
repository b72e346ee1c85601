import { useMemo } from "preact/hooks";
import type { AgentResult } from "../src/contract/agent-report.ts";
import type { ScoreName } from "../src/reporters/agent/dimension-words.ts";
import { agentStandingMarks, agentStandings } from "./agent-standing.ts";
import { Choice } from "./choice.tsx";
import { type ChosenResults, everyResult, isWrong, type ResultChoice } from "./choose-results.ts";
import { itemAt, placeIn } from "./chosen-place.ts";
import { frequentTags } from "./frequent-tags.ts";
import { SearchBox } from "./search-box.tsx";
import { StatusChips } from "./status-chips.tsx";

const tagLimit = 500;

/** Where the reader says which cells to show. */
export function ResultFilters(props: {
  results: readonly AgentResult[];
  names: readonly ScoreName[];
  counts: ChosenResults["counts"];
  choice: ResultChoice;
  onChoice: (choice: ResultChoice) => void;
}) {
  const { results, names, counts, choice, onChoice } = props;
  const suites = useMemo(() => [...new Set(results.map(({ suite }) => suite))], [results]);
  const models = useMemo(() => [...new Set(results.map(({ model }) => model))], [results]);
  const tags = useMemo(() => frequentTags(results, tagLimit), [results]);
  const wrong = useMemo(() => wrongIn(results, names), [results, names]);
  const { suite, model, tag, dimension } = choice;
  const isFiltered =
    choice.text !== "" ||
    choice.standings.length > 0 ||
    [suite, model, tag, dimension].some((chosen) => chosen !== null);
  return (
    <search class="filters">
      <SearchBox
        label="Search case, model, tag, failure and warning"
        placeholder="Search case, failure, code …"
        text={choice.text}
        onText={(text) => onChoice({ ...choice, text })}
      />
      {suites.length > 1 && (
        <Choice
          label="Suite"
          all="All suites"
          options={suites}
          chosen={placeIn(suites, suite)}
          onChoose={(place) => onChoice({ ...choice, suite: itemAt(suites, place) })}
        />
      )}
      {models.length > 1 && (
        <Choice
          label="Model"
          all="All models"
          options={models}
          chosen={placeIn(models, model)}
          onChoose={(place) => onChoice({ ...choice, model: itemAt(models, place) })}
        />
      )}
      <Choice
        label="Dimension that did not pass"
        all="All dimensions"
        options={names.map((name, place) => `${name}: ${wrong[place]} not passed`)}
        chosen={placeIn(names, dimension)}
        onChoose={(place) => onChoice({ ...choice, dimension: itemAt(names, place) })}
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
        chips={agentStandings
          .filter((standing) => standing !== "baseline" || results.some(isTwin))
          .map((standing) => ({
            word: standing,
            mark: agentStandingMarks[standing],
            count: counts[standing],
          }))}
        pressed={choice.standings}
        onPress={(pressed) => onChoice({ ...choice, standings: pressed })}
      />
      {isFiltered && (
        <button type="button" class="quiet" onClick={() => onChoice({ ...everyResult, order: choice.order })}>
          Clear filters
        </button>
      )}
    </search>
  );
}

function isTwin({ condition }: AgentResult): boolean {
  return condition === "no-skills";
}

function wrongIn(results: readonly AgentResult[], names: readonly ScoreName[]): number[] {
  return names.map((name) => results.filter((result) => isWrong(result, name)).length);
}
