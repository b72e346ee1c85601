import { useMemo } from "preact/hooks";
import type { AgentResult } from "../src/contract/agent-report.ts";
import type { ScoreName } from "../src/reporters/agent/dimension-words.ts";
import { agentStandingMarks, agentStandings } from "./agent-standing.ts";
import { ChoiceOf } from "./choice-of.tsx";
import { type ChosenResults, everyResult, isWrong, type ResultChoice } from "./choose-results.ts";
import { FilterBar } from "./filter-bar.tsx";
import { TagChoice } from "./tag-choice.tsx";

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
  const wrong = useMemo(() => wrongIn(results, names), [results, names]);
  const { suite, model, tag, dimension } = choice;
  return (
    <FilterBar
      label="Search case, model, tag, failure and warning"
      placeholder="Search case, failure, code …"
      text={choice.text}
      onText={(text) => onChoice({ ...choice, text })}
      legend="Verdict"
      chips={agentStandings
        .filter((standing) => standing !== "baseline" || results.some(isTwin))
        .map((standing) => ({
          word: standing,
          mark: agentStandingMarks[standing],
          count: counts[standing],
        }))}
      pressed={choice.standings}
      onPress={(standings) => onChoice({ ...choice, standings })}
      chosen={[suite, model, tag, dimension]}
      onClear={() => onChoice({ ...everyResult, order: choice.order })}
    >
      {suites.length > 1 && (
        <ChoiceOf
          label="Suite"
          all="All suites"
          items={suites}
          chosen={suite}
          onChoose={(suite) => onChoice({ ...choice, suite })}
        />
      )}
      {models.length > 1 && (
        <ChoiceOf
          label="Model"
          all="All models"
          items={models}
          chosen={model}
          onChoose={(model) => onChoice({ ...choice, model })}
        />
      )}
      <ChoiceOf
        label="Dimension that did not pass"
        all="All dimensions"
        items={names}
        words={names.map((name, place) => `${name}: ${wrong[place]} not passed`)}
        chosen={dimension}
        onChoose={(dimension) => onChoice({ ...choice, dimension })}
      />
      <TagChoice rows={results} chosen={tag} onChoose={(tag) => onChoice({ ...choice, tag })} />
    </FilterBar>
  );
}

function isTwin({ condition }: AgentResult): boolean {
  return condition === "no-skills";
}

function wrongIn(results: readonly AgentResult[], names: readonly ScoreName[]): number[] {
  return names.map((name) => results.filter((result) => isWrong(result, name)).length);
}
