import { useMemo } from "preact/hooks";
import type { PlanResult } from "../src/contract/planbench-report.ts";
import type { StratumOverview } from "../src/reporters/planbench/plan-overview.ts";
import { ChoiceOf } from "./choice-of.tsx";
import { type ChosenSamples, everySample, type SampleChoice } from "./choose-samples.ts";
import { ClearFilters } from "./clear-filters.tsx";
import { frequentTags } from "./frequent-tags.ts";
import { sampleStandingMarks, sampleStandings } from "./sample-standing.ts";
import { SearchBox } from "./search-box.tsx";
import { StatusChips } from "./status-chips.tsx";

const tagLimit = 500;

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
  const tags = useMemo(() => frequentTags(results, tagLimit), [results]);
  const reasons = useMemo(() => reasonsOf(overviews), [overviews]);
  const { route, host, tag, reason } = choice;
  const isFiltered =
    choice.text !== "" ||
    choice.standings.length > 0 ||
    [route, host, tag, reason].some((chosen) => chosen !== null);
  return (
    <search class="filters">
      <SearchBox
        label="Search case, host, tag, violation and problem"
        placeholder="Search case, violation, problem …"
        text={choice.text}
        onText={(text) => onChoice({ ...choice, text })}
      />
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
      {tags.length > 0 && (
        <ChoiceOf
          label="Tag"
          all="All tags"
          items={tags}
          chosen={tag}
          onChoose={(tag) => onChoice({ ...choice, tag })}
        />
      )}
      {reasons.length > 0 && (
        <ChoiceOf
          label="Reason"
          all="All reasons"
          items={reasons}
          chosen={reason}
          onChoose={(reason) => onChoice({ ...choice, reason })}
        />
      )}
      <StatusChips
        legend="Outcome"
        chips={sampleStandings.map((standing) => ({
          word: standing,
          mark: sampleStandingMarks[standing],
          count: counts[standing],
        }))}
        pressed={choice.standings}
        onPress={(standings) => onChoice({ ...choice, standings })}
      />
      {isFiltered && <ClearFilters onClear={() => onChoice({ ...everySample, order: choice.order })} />}
    </search>
  );
}

function reasonsOf(overviews: readonly StratumOverview[]): string[] {
  const groups = overviews.flatMap(({ failures, errors }) => [...failures, ...errors]);
  return [...new Set(groups.map(({ reason }) => reason))];
}
