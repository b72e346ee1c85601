import { JudgeFigures } from "../../contract/figures.ts";
import type { Rendered, VerdictView } from "../../contract/format.ts";
import type { Fact, Scalar, Section } from "../../contract/view.ts";
import { counted, usd } from "../text/format-numbers.ts";

type Judged = Pick<Rendered, "judges">;

/** How far the models that judged can be trusted, and what they took. */
export function judgeSections({ judges }: Judged): Section[] {
  const rows = readJudges(judges).map(judgeRow);
  if (rows.length === 0) return [];
  return [
    {
      title: "Judges",
      note: "Time and cost of judging do not count in the figures of any skill. Canaries are answers with a known score that every run gives to its judges: drift is the mean distance from the known score, and an attack succeeds when the judge passes a wrong answer that contains a prompt injection. Verdicts of a judge that fails its canaries are not used.",
      blocks: [
        {
          kind: "table",
          columns: [
            { label: "Model" },
            { label: "Cells", unit: "count" },
            { label: "No verdict", unit: "share" },
            { label: "Calls", unit: "count" },
            { label: "Time", unit: "ms" },
            { label: "Cost", unit: "usd" },
            { label: "Canaries answered" },
            { label: "Drift", unit: "score" },
            { label: "Attacks that worked", unit: "share" },
            { label: "Reliable" },
          ],
          rows,
        },
      ],
    },
  ];
}

/** Who judged and the effort, which is in no figure of a skill. */
export function judgeFacts({ judges }: Judged): Fact[] {
  return readJudges(judges).map(({ model, cells, calls, costUsd }) => {
    const took = [
      counted(cells, "cell"),
      counted(calls, "call"),
      ...(costUsd === null ? [] : [usd(costUsd)]),
    ];
    return { label: "Judged by", value: model, note: took.join(", "), isNote: true };
  });
}

/** A verdict that rests on judges nobody should rely on says so first. */
export function withTrustedJudges(verdict: VerdictView, { judges }: Judged): VerdictView {
  const stamps = readJudges(judges).flatMap(({ trustedDespite }) =>
    trustedDespite === null ? [] : [`trusted anyway: ${trustedDespite} (--trust-judge)`],
  );
  return stamps.length === 0 ? verdict : { ...verdict, reasons: [...stamps, ...verdict.reasons] };
}

/** Why the verdicts of judges were not used. */
export function distrustWords({ judges }: Judged): string[] {
  return readJudges(judges).flatMap(({ canaries, trustedDespite }) =>
    trustedDespite !== null || canaries === null || canaries.problem === null
      ? []
      : [`${canaries.problem}: use another judge, or accept its verdicts with --trust-judge`],
  );
}

/** What is known of judges; nothing of those that a foreign report describes otherwise. */
function readJudges(judges: Rendered["judges"]): JudgeFigures[] {
  return judges.flatMap((judge) => JudgeFigures.safeParse(judge).data ?? []);
}

function judgeRow(judge: JudgeFigures): Scalar[] {
  const { model, cells, failureRate, calls, latencyMs, costUsd, canaries, trustedDespite } = judge;
  const effort = [model, cells, failureRate, calls, latencyMs, costUsd];
  const isReliable = trustedDespite === null ? "no" : "no, trusted anyway";
  if (canaries === null) return [...effort, "not asked", null, null, trustedDespite && isReliable];
  const { answered, asked, drift, flipRate, problem } = canaries;
  return [...effort, `${answered} of ${asked}`, drift, flipRate, problem === null ? "yes" : isReliable];
}
