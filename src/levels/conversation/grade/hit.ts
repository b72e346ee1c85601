import type { CheckResult } from "../../../cases/grade/dimension.ts";
import { listed } from "../../../shared/text/phrases.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { type ConversationFault, type ConversationView, check } from "./conversation-view.ts";

/** Whether the router selected the right skills; unknown where it was not used. */
export function checkHit({ record, expect }: ConversationView): CheckResult[] {
  const { skills_all_of: all = [], skills_none_of: none = [] } = expect;
  if (record.forced) {
    const isRequired = all.length + none.length > 0;
    return [
      { ...check("selection", { unseen: "the case names its skills, so nothing was routed" }), isRequired },
    ];
  }
  const selected = record.selected.map(({ id }) => id);
  const checks: CheckResult[] = [];
  const add = (name: string, isWrong: boolean, fault: ConversationFault) =>
    checks.push(check(name, { faults: isWrong ? [fault] : [] }));
  if (all.length > 0) {
    const missing = all.filter((id) => !selected.includes(id));
    const whys = missing.map((id) => {
      const why = record.routing?.excluded.find((one) => one.id === id)?.reason;
      return `${shownText(id)}${why === undefined ? "" : ` (${shownText(why)})`}`;
    });
    add("skills_all_of", missing.length > 0, {
      code: "HitMissing",
      message: `the router did not select ${listed(whys, 5)}`,
      expected: { skills_all_of: all },
      actual: selected,
    });
  }
  if (none.length > 0) {
    const wrong = selected.filter((id) => none.includes("*") || none.includes(id));
    const names = wrong.map((id) => shownText(id));
    add("skills_none_of", wrong.length > 0, {
      code: "HitForbidden",
      message: `the router selected ${listed(names, 5)}, which the case forbids`,
      expected: { skills_none_of: none },
      actual: selected,
    });
  }
  return checks;
}
