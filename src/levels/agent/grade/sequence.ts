import type { CheckResult, Fault } from "../../../cases/grade/dimension.ts";
import { groupedBy } from "../../../shared/text/sort-and-group.ts";
import { checkErrors } from "./expected-errors.ts";
import { checkFates } from "./fates.ts";
import { anyTool, whyHidden } from "./hidden-items.ts";
import { checkScript } from "./mock-script.ts";
import { type RunView, unknownWords } from "./run-view.ts";
import { checkScriptEnds } from "./script-ends.ts";
import { checkRules, executedAs, executedSequence } from "./sequence-rules.ts";

/** Whether things were done in the order, and with the refusals, that the case asks for. */
export async function checkSequence(view: RunView): Promise<CheckResult[]> {
  const { action_sequence_constraints, one_action_per_turn = view.isNative } = view.case.expect;
  const checks = await checkRules(view, action_sequence_constraints);
  if (one_action_per_turn) checks.push(checkTurns(view));
  if (view.isNative) checks.push(checkSelection(view));
  return [...checks, ...checkFates(view), ...checkErrors(view), checkScriptEnds(view), ...checkScript(view)];
}

function checkTurns(view: RunView): CheckResult {
  const executed = view.of("action_executed").filter(({ data }) => data.part_of === undefined);
  const crowded = [...groupedBy(executed, ({ turn }) => turn)].filter(([, events]) => events.length > 1);
  const faults: Fault[] = crowded.slice(0, 1).map(([turn, events]) => ({
    code: "MultipleActions",
    message:
      crowded.length === 1
        ? `turn ${turn} executed ${events.length} actions`
        : `${crowded.length} turns executed more than one action, turn ${turn} the first of them`,
    expected: 1,
    actual: events.length,
    at: crowded.flatMap(([, each]) => each),
  }));
  return {
    name: "one action per turn",
    isRequired: view.case.expect.one_action_per_turn === true,
    exercised: executed.length > 0,
    unseen: view.records("calls")
      ? whyHidden(view, ["select_skills", "load_resource", ...anyTool], { isSeenCall: true })
      : unknownWords("calls"),
    faults,
  };
}

/** In our own loop nothing of a skill is used before the first selection. */
function checkSelection(view: RunView): CheckResult {
  const [first] = executedAs(view, "select_skills");
  const uses = [...executedAs(view, "load_resource"), ...executedAs(view, "run_script")];
  const early = uses.filter(({ seq }) => first === undefined || seq < first.seq);
  return {
    name: "select_skills before load_resource and run_script",
    isRequired: false,
    exercised: uses.length > 0,
    unseen: null,
    faults:
      early.length === 0
        ? []
        : [
            {
              code: "OrderViolated",
              message: "a resource or a script of a skill was used before the first skill was selected",
              expected: { must_occur: "select_skills", before: ["load_resource", "run_script"] },
              actual: executedSequence(view),
              at: first === undefined ? early : [...early, first],
            },
          ],
  };
}
