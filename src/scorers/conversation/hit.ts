import { listed } from "../../base/listed.ts";
import { shownText } from "../../base/visible-text.ts";
import type { Look } from "../agent/dimension.ts";
import { type ConversationFault, type ConversationView, look } from "./conversation-view.ts";

/** Whether the router gave the request the skills it should have. Where nobody routed, nobody knows. */
export function lookAtHit({ record, expect }: ConversationView): Look[] {
  const { skills_all_of: all = [], skills_none_of: none = [] } = expect;
  if (record.forced) {
    const asked = all.length + none.length > 0;
    return [{ ...look("selection", { unseen: "the skills were named, and nobody routed" }), asked }];
  }
  const selected = record.selected.map(({ id }) => id);
  const looks: Look[] = [];
  const add = (name: string, isWrong: boolean, fault: ConversationFault) =>
    looks.push(look(name, { faults: isWrong ? [fault] : [] }));
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
      message: `the router selected ${listed(names, 5)}, and should not have`,
      expected: { skills_none_of: none },
      actual: selected,
    });
  }
  return looks;
}
