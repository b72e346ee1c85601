import { listed } from "../src/base/listed.ts";
import type { ReasonGroup, StratumOverview } from "../src/reporters/planbench/plan-overview.ts";
import { grouped } from "./grouped.ts";
import { StatusMark } from "./status-mark.tsx";
import { StrangerText } from "./stranger-text.tsx";

const reasonsAtMost = 50;
const casesNamed = 8;

/** Why samples of a stratum are not ok, the commonest reason first; a reason leads to its samples. */
export function ReasonTable(props: { overview: StratumOverview; onChoose: (reason: string) => void }) {
  const { failures, errors, route } = props.overview;
  const all = [
    ...failures.map((group) => ({ group, mark: "fail" as const })),
    ...errors.map((group) => ({ group, mark: "invalid" as const })),
  ];
  if (all.length === 0) return null;
  return (
    <table class="reasons">
      <caption>Why samples are not ok</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">Reason</th>
          <th scope="col">Samples</th>
        </tr>
      </thead>
      <tbody>
        {all.slice(0, reasonsAtMost).map(({ group, mark }) => (
          <ReasonRow
            key={`${route} ${mark} ${group.reason}`}
            group={group}
            mark={mark}
            onChoose={props.onChoose}
          />
        ))}
      </tbody>
    </table>
  );
}

function ReasonRow(props: {
  group: ReasonGroup;
  mark: "fail" | "invalid";
  onChoose: (reason: string) => void;
}) {
  const { group, mark, onChoose } = props;
  return (
    <tr>
      <th scope="row">
        <div class="reason">
          <StatusMark status={mark} size={13} />
          <button type="button" class="link" title="Show its samples" onClick={() => onChoose(group.reason)}>
            <StrangerText text={group.reason} limit={300} />
          </button>
          <span class="under">
            <StrangerText text={listed([...group.cases], casesNamed)} limit={400} />
          </span>
        </div>
      </th>
      <td class="number">{grouped(group.samples)}</td>
    </tr>
  );
}
