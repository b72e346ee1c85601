import { type CheckResult, owed } from "../../../cases/grade/dimension.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import type { CellTallies, TriggerScore } from "../../../contract/agent-report.ts";
import { listed } from "../../../shared/text/phrases.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { selectedIn } from "./call.ts";
import { whyHidden } from "./hidden-items.ts";
import { leftOutWords, type RunView, unknownWords, whyUnobserved } from "./run-view.ts";

type TriggerFacts = Pick<TriggerScore, "precision" | "recall" | "selected" | "rejected">;

/** Whether the skills were selected that should be, and no other. */
export function checkTrigger(view: RunView): CheckResult[] {
  if (!hasExpectation(view)) return [];
  const { skills_all_of, skills_any_of, skills_none_of } = expectedNames(view);
  const { selected } = view.selections;
  const chosen = [...selected.keys()];
  const checks: CheckResult[] = [];
  const at = selectingEvents(view);
  const silence = whyUnobserved(view, "calls") ?? whyHidden(view, ["select_skills"]);

  // An empty list asks for nothing.
  if (skills_all_of !== undefined && skills_all_of.length > 0) {
    const missing = skills_all_of.filter((name) => !selected.has(name));
    checks.push({
      name: `all of ${listed(skills_all_of, 10)}`,
      isRequired: true,
      exercised: true,
      ...owed(missing.length === 0, silence, () => ({
        code: "TriggerMissingAll",
        message: `${shown(missing)} should have been selected and ${missing.length === 1 ? "was" : "were"} not${leftOutWords(view, missing)}`,
        expected: skills_all_of,
        actual: chosen,
        at,
      })),
    });
  }
  if (skills_any_of !== undefined && skills_any_of.length > 0) {
    const isThere = skills_any_of.some((name) => selected.has(name));
    checks.push({
      name: `any of ${listed(skills_any_of, 10)}`,
      isRequired: true,
      exercised: true,
      ...owed(isThere, silence, () => ({
        code: "TriggerMissingAny",
        message: `one of ${shown(skills_any_of)} should have been selected and none was${leftOutWords(view, skills_any_of)}`,
        expected: skills_any_of,
        actual: chosen,
        at,
      })),
    });
  }
  if (skills_none_of !== undefined && skills_none_of.length > 0)
    checks.push(checkForbidden(view, skills_none_of));
  if (checks.length === 0)
    checks.push({ name: "no skill required", isRequired: true, exercised: false, unseen: null, faults: [] });
  return checks;
}

/** The figures of a score, whatever the checks say. */
export function triggerFacts(view: RunView): TriggerFacts {
  const { selected, rejected } = view.selections;
  const facts = { selected: [...selected.keys()], rejected: [...rejected] };
  const tally = triggerTally(view);
  if (tally === null || isOnlyForbidding(view)) return { precision: null, recall: null, ...facts };
  const { selected_expected, hits, required } = tally;
  const isNothingExpected = expectedSkills(view).size === 0;
  return {
    precision: selected.size === 0 ? (isNothingExpected ? 1 : 0) : selected_expected / selected.size,
    recall: required === 0 ? 1 : hits / required,
    ...facts,
  };
}

/** What a suite adds up; null without an expectation, or where the run has no evidence. */
export function triggerTally(view: RunView): CellTallies["trigger"] {
  const isSeen = view.records("calls") && whyHidden(view, ["select_skills"]) === null;
  if (!hasExpectation(view) || !isSeen) return null;
  const { skills_all_of: all = [], skills_any_of: any = [], skills_none_of: none = [] } = expectedNames(view);
  const { selected } = view.selections;
  const expected = expectedSkills(view);
  const chosen = [...selected.keys()];
  const counted = isOnlyForbidding(view) ? chosen.filter((name) => isForbidden(none, name)) : chosen;
  const isAnyHit = any.some((name) => selected.has(name));
  return {
    selected_expected: chosen.filter((name) => expected.has(name)).length,
    selected: counted.length,
    hits: new Set(all.filter((name) => selected.has(name))).size + (isAnyHit ? 1 : 0),
    required: new Set(all).size + (any.length > 0 ? 1 : 0),
  };
}

function checkForbidden(view: RunView, none: readonly string[]): CheckResult {
  const { selected, rejected } = view.selections;
  const chosen = [...selected.keys()].filter((name) => isForbidden(none, name));
  const attempted = rejected.some((name) => isForbidden(none, name));
  const at = selectingEvents(view, (name) => isForbidden(none, name));
  return {
    name: `none of ${listed(none, 10)}`,
    isRequired: true,
    // A skill that is not there cannot be selected.
    exercised: chosen.length > 0 || attempted || view.index.names.some((name) => isForbidden(none, name)),
    attempted: attempted && chosen.length === 0,
    unseen: view.records("calls") ? whyHidden(view, ["select_skills"]) : unknownWords("calls"),
    faults:
      chosen.length === 0
        ? []
        : [
            {
              code: "TriggerForbidden",
              message: `${shown(chosen)} ${chosen.length === 1 ? "was" : "were"} selected but must not be`,
              expected: [],
              actual: chosen,
              at,
            },
          ],
  };
}

function hasExpectation({ case: { expect } }: RunView): boolean {
  const { skills_all_of, skills_any_of, skills_none_of } = expect;
  return [skills_all_of, skills_any_of, skills_none_of].some((list) => list !== undefined);
}

function isOnlyForbidding(view: RunView): boolean {
  return view.case.expect.skills_none_of !== undefined && expectedSkills(view).size === 0;
}

function expectedSkills(view: RunView): ReadonlySet<string> {
  const { skills_all_of = [], skills_any_of = [] } = expectedNames(view);
  return new Set([...skills_all_of, ...skills_any_of]);
}

/** The skills that a case speaks of, by the names the run knows them under. */
function expectedNames({ case: { expect }, selections: { namedAs } }: RunView) {
  return {
    skills_all_of: expect.skills_all_of?.map(namedAs),
    skills_any_of: expect.skills_any_of?.map(namedAs),
    skills_none_of: expect.skills_none_of?.map(namedAs),
  };
}

function isForbidden(none: readonly string[], name: string): boolean {
  return none.includes("*") || none.includes(name);
}

function selectingEvents(view: RunView, concerns: (name: string) => boolean = () => true): AgentEvent[] {
  return view.calls.flatMap((call) => {
    const named = selectedIn(call).some(({ name }) => concerns(view.index.indexedName(name)));
    return named && call.planned !== null ? [call.planned] : [];
  });
}

function shown(names: readonly string[]): string {
  return listed(
    names.map((name) => shownText(name)),
    10,
  );
}
