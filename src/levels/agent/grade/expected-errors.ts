import type { CheckResult } from "../../../cases/grade/dimension.ts";
import type { Expect } from "../../../contract/agent-case.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import { type Call, callNames } from "./call.ts";
import { whyHidden } from "./hidden-items.ts";
import { type RunView, whyUnobserved } from "./run-view.ts";

type ExpectedError = Expect["errors"][number];

/** Whether the errors that the case expects came, as often as it says. */
export function checkErrors(view: RunView): CheckResult[] {
  const seen = errorsIn(view);
  return view.case.expect.errors.map((expected) => {
    const hits = seen.filter(({ code, names }) => isExpected(expected, code, names));
    const at = hits.map(({ event }) => event);
    const { code, tool, min, max = Number.POSITIVE_INFINITY } = expected;
    const what = tool === undefined ? code : `${code} of ${tool}`;
    const unread = whyHidden(view, ["result"]);
    const silence = whyUnobserved(view, "calls") ?? whyUnobserved(view, "results") ?? unread;
    const isMissing = hits.length < min;
    const isTooOften = hits.length > max;
    return {
      name: `error ${what}`,
      isRequired: true,
      exercised: min > 0 || hits.length > 0,
      unseen: isMissing ? silence : expected.max === undefined ? null : unread,
      faults: [
        ...(isMissing && silence === null
          ? [
              {
                code: "ExpectedErrorMissing",
                message: `${what} expected ${times(min)}, occurred ${times(hits.length)}`,
                expected: { code, ...(tool !== undefined && { tool }), min },
                actual: hits.length,
                at,
              },
            ]
          : []),
        ...(isTooOften
          ? [
              {
                code: "UnexpectedError",
                message: `${what} expected at most ${times(max)}, occurred ${times(hits.length)}`,
                expected: { code, ...(tool !== undefined && { tool }), max },
                actual: hits.length,
                at,
              },
            ]
          : []),
      ],
    };
  });
}

/** Whether a case expects this error of this call. */
export function isExpected(
  { code, tool }: Pick<ExpectedError, "code" | "tool">,
  seen: string,
  names: readonly string[],
): boolean {
  return code === seen && (tool === undefined || names.includes(tool));
}

interface SeenError {
  code: string;
  names: readonly string[];
  event: AgentEvent;
}

/** Every error once: the same one of the same call may be recorded by several events. */
function errorsIn(view: RunView): SeenError[] {
  const known = new Set<string>();
  const errors: SeenError[] = [];
  const add = (event: AgentEvent, code: string, call: Call | undefined) => {
    const key = JSON.stringify([call?.id, call?.since, code]);
    if (call !== undefined && known.has(key)) return;
    known.add(key);
    errors.push({ code, names: call === undefined ? [] : callNames(call), event });
  };
  for (const event of view.run.events) {
    if (event.type === "action_validated" || event.type === "action_executed") {
      const { error, call_id } = event.data;
      if (error !== undefined) add(event, error.code, view.call(call_id, event.seq));
    }
    if (event.type === "error_occurred") {
      const { code, call_id } = event.data;
      add(event, code, call_id === undefined ? undefined : view.call(call_id, event.seq));
    }
  }
  return errors;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
