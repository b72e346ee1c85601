import { useMemo } from "preact/hooks";
import type { PlanResult } from "../src/contract/planbench-report.ts";
import type { StratumOverview } from "../src/reporters/planbench/plan-overview.ts";
import { ChoiceOf } from "./choice-of.tsx";
import { type ChosenSamples, everySample, type SampleChoice } from "./choose-samples.ts";
import { FilterBar } from "./filter-bar.tsx";
import { sampleStandingMarks, sampleStandings } from "./sample-standing.ts";
import { TagChoice } from "./tag-choice.tsx";

/** Where the reader says which samples to show. */
export function SampleFilters(props: {
  results: readonly PlanResult[];
  overviews: readonly StratumOverview[];
  counts: ChosenSamples["counts"];
  choice: SampleChoice;
  onChoice: (choice: SampleChoice) => void;
}) {
  const { results, overviews, counts, choice, onChoice } = props;
  const routes = overviews.map(({ route }) => route);
  const hosts = useMemo(
    () => [...new Set(results.map(({ host }) => host))].filter((host) => host !== null),
    [results],
  );
  const reasons = useMemo(() => reasonsOf(overviews), [overviews]);
  const { route, host, tag, reason } = choice;
  return (
    <FilterBar
      label="Search case, host, tag, violation and problem"
      placeholder="Search case, violation, problem …"
      text={choice.text}
      onText={(text) => onChoice({ ...choice, text })}
      legend="Outcome"
      chips={sampleStandings.map((standing) => ({
        word: standing,
        mark: sampleStandingMarks[standing],
        count: counts[standing],
      }))}
      pressed={choice.standings}
      onPress={(standings) => onChoice({ ...choice, standings })}
      chosen={[route, host, tag, reason]}
      onClear={() => onChoice({ ...everySample, order: choice.order })}
    >
      {routes.length > 1 && (
        <ChoiceOf
          label="Route"
          all="All routes"
          items={routes}
          chosen={route}
          onChoose={(route) => onChoice({ ...choice, route })}
        />
      )}
      {hosts.length > 1 && (
        <ChoiceOf
          label="Host"
          all="All hosts"
          items={hosts}
          chosen={host}
          onChoose={(host) => onChoice({ ...choice, host })}
        />
      )}
      <TagChoice rows={results} chosen={tag} onChoose={(tag) => onChoice({ ...choice, tag })} />
      {reasons.length > 0 && (
        <ChoiceOf
          label="Reason"
          all="All reasons"
          items={reasons}
          chosen={reason}
          onChoose={(reason) => onChoice({ ...choice, reason })}
        />
      )}
    </FilterBar>
  );
}

function reasonsOf(overviews: readonly StratumOverview[]): string[] {
  const groups = overviews.flatMap(({ failures, errors }) => [...failures, ...errors]);
  return [...new Set(groups.map(({ reason }) => reason))];
}
