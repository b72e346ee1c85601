import type { ComponentChildren } from "preact";
import type { Verdict } from "../src/contract/verdict.ts";
import { milliseconds, percent } from "../src/reporters/format-numbers.ts";
import { describeTime } from "./describe-time.ts";
import { grouped } from "./grouped.ts";
import { StatusMark } from "./status-mark.tsx";
import { StrangerText } from "./stranger-text.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

/** The top of every page: the verdict, what it rests on, when it was made, and the facts nobody should have to look for. */
export function PageHeader(props: {
  verdict: { title: string; mark: Verdict | "none" };
  passed: number;
  total: number;
  /** What those that are counted did. */
  did?: string;
  /** Said beside the count of what passed. */
  rest?: string;
  /** Null where nobody wrote down when it was. */
  run: { startedAt: string; finishedAt: string } | null;
  stamps: readonly (readonly [string, string])[];
  children?: ComponentChildren;
}) {
  const { verdict, passed, total, did = "passed", rest, run, stamps } = props;
  return (
    <header class={`verdict verdict-${verdict.mark}`}>
      <div class="eyebrow">
        <span>eval-skills report</span>
        <ThemeToggle />
      </div>
      <h1>
        <StatusMark status={verdict.mark} size={34} />
        {verdict.title}
      </h1>
      <p class="lead">
        <strong>
          {grouped(passed)} of {grouped(total)} {did}
        </strong>{" "}
        {total > 0 && `(${percent(passed / total)})`}
        {rest}
      </p>
      {props.children}
      {run !== null && <When run={run} />}
      <dl class="stamps">
        {stamps.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <StrangerText text={value} limit={200} />
            </dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

function When({ run }: { run: { startedAt: string; finishedAt: string } }) {
  const lasted = Date.parse(run.finishedAt) - Date.parse(run.startedAt);
  return (
    <p class="when">
      <StrangerText text={describeTime(run.startedAt)} />
      {Number.isFinite(lasted) && `, took ${milliseconds(Math.max(0, lasted))}`}
    </p>
  );
}
