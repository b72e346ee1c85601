import { type CheckResult, owed } from "../../../cases/grade/dimension.ts";
import type { ExpectedCall } from "../../../contract/conversation-case.ts";
import type { Json } from "../../../shared/json/json.ts";
import { listed, pluralize } from "../../../shared/text/phrases.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { type ConversationFault, type ConversationView, check } from "./conversation-view.ts";
import { fitsArguments, fitsResult, type SeenCall } from "./match-calls.ts";

/** Whether the expected calls were made in their order, with the results they should have. */
export function checkCalls(view: ConversationView): CheckResult[] {
  const { tool_calls: expected } = view.expect;
  if (expected === undefined) return [];
  if (expected.length === 0) return [checkNone(view)];
  return expected.map((one, index) => {
    const isThere = view.matched.matches[index]?.fits !== null;
    const name = `call ${index + 1}: ${shownText(one.name)}`;
    return { ...check(name, {}), ...owed(isThere, view.silence, () => callFault(one, index, view)) };
  });
}

function checkNone({ calls, rejected, record, silence }: ConversationView): CheckResult {
  const names = calls.map(({ call }) => shownText(call.name));
  const fault: ConversationFault = {
    code: "CallUnexpected",
    message: `${pluralize(calls.length, "call")}, expected none: ${listed(names, 5)}`,
    expected: [],
    actual: calls.map(({ call }) => ({ name: call.name, arguments: call.arguments })),
  };
  const none = check("no call", {
    faults: calls.length === 0 ? [] : [fault],
    unseen: silence,
    exercised: record.tools.length + calls.length + rejected.length > 0,
  });
  return rejected.length === 0 ? none : { ...none, attempted: true };
}

/** The closest call that was made determines the fault. */
function callFault(one: ExpectedCall, index: number, { matched }: ConversationView): ConversationFault {
  const { seen, matches } = matched;
  const rest = seen.slice(matches[index]?.from ?? 0);
  const called = shownText(one.name);
  const fault = (code: ConversationFault["code"], message: string, actual: Json): ConversationFault => ({
    code,
    message: `call ${index + 1}: ${message}`,
    expected: one as unknown as Json,
    actual,
  });
  const other = rest.find((call) => fitsArguments(one, call));
  if (other !== undefined) {
    const { turn, result, message } = other;
    const why = message?.startsWith(`${result}: `) ? message.slice(result.length + 2) : message;
    const reason = why === null ? "" : ` (${shownText(why, 200)})`;
    const words = `${called} in turn ${turn} gave ${result}${reason}, not ${one.result ?? "a result"}`;
    return fault("CallResult", words, reason === "" ? result : `${result}${reason}`);
  }
  const namesake = rest.find((call) => call.name === one.name);
  if (namesake !== undefined) {
    const words = `${called} in turn ${namesake.turn} has different arguments`;
    return fault("CallArguments", words, namesake.arguments);
  }
  const taken = new Set(matches.map(({ fits }) => fits));
  const alike = seen.filter((call) => fitsArguments(one, call) && fitsResult(one, call));
  const early = alike.find((call) => !taken.has(seen.indexOf(call)));
  if (early !== undefined)
    return fault("CallOrder", `${called} was called too early, in turn ${early.turn}`, inOrder(seen));
  const again = alike.length === 0 ? "" : " again";
  return fault("CallMissing", `${called} was not called${again}`, inOrder(seen));
}

function inOrder(seen: readonly SeenCall[]): Json {
  return seen.map(({ name, result }) => (result === "ok" ? name : `${name}: ${result}`));
}
