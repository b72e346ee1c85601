import type { CaseLevel } from "../contract/agent-case.ts";
import type { SkippedReport } from "../contract/document.ts";
import type { LoadedCase, LoadedSuite } from "../contract/loaded-case.ts";
import type { WantsCase } from "../engine/case-selection.ts";
import { didYouMean } from "../shared/text/nearest.ts";
import { UserError } from "../shared/user-error.ts";
import type { AgentPlan } from "./case-request.ts";

/** The cases to run, and those that are left out because their class was not requested. */
export interface SelectedCases {
  cases: LoadedCase[];
  skipped: SkippedReport[];
}

/** Picks cases by id, tag and class. Where other levels run as well, none may be left. */
export function selectCases(
  suites: readonly LoadedSuite[],
  { cases: ids, tags, classes, models }: Pick<AgentPlan, "cases" | "tags" | "classes" | "models">,
  { wants, mayBeEmpty = false }: { wants?: WantsCase | undefined; mayBeEmpty?: boolean | undefined } = {},
): SelectedCases {
  const all = suites.flatMap((suite) => suite.cases.filter((loaded) => isWanted(loaded, wants)));
  const unknown = ids.find((id) => !all.some((loaded) => loaded.case.id === id));
  if (unknown !== undefined)
    throw new UserError("usage", `no case ${unknown}`, {
      hint: didYouMean(
        unknown,
        all.map((loaded) => loaded.case.id),
      ),
    });
  const named = all.filter(
    ({ case: { id, tags: own } }) =>
      (ids.length === 0 || ids.includes(id)) && (tags.length === 0 || own.some((tag) => tags.includes(tag))),
  );
  const wanted = classes ?? defaultClasses(models);
  const cases = named.filter(({ level }) => wanted.includes(level));
  const skipped = named
    .filter(({ level }) => !wanted.includes(level))
    .map((loaded) => skippedCase(loaded, classes === null ? "no-model" : "class"));
  if (cases.length === 0 && !mayBeEmpty) throw nothingLeft(named, tags, all);
  return { cases, skipped };
}

function isWanted(loaded: LoadedCase, wants: WantsCase | undefined): boolean {
  const { id, tags } = loaded.case;
  return wants?.({ level: caseLevel(loaded), id, tags, owner: loaded.suite }) ?? true;
}

export function skippedCase(loaded: LoadedCase, reason: string): SkippedReport {
  const { suite, case: one } = loaded;
  return { level: caseLevel(loaded), suite, skillId: null, caseId: one.id, reason };
}

function caseLevel({ kind }: LoadedCase): string {
  return kind === "conversation" ? "conversation" : "agent";
}

function defaultClasses(models: readonly string[]): readonly CaseLevel[] {
  return models.length === 0 ? ["L0", "L1"] : ["L0", "L1", "L2"];
}

function nothingLeft(
  named: readonly LoadedCase[],
  tags: readonly string[],
  all: readonly LoadedCase[],
): UserError {
  if (all.length === 0) return new UserError("nothing-to-do", "no cases in the suites");
  if (named.length === 0) {
    const known = [...new Set(all.flatMap((loaded) => loaded.case.tags))].sort();
    return new UserError("nothing-to-do", `no case has the tag ${tags.join(" or ")}`, {
      hint: known.length === 0 ? "no case has a tag" : didYouMean(tags[0] ?? "", known),
    });
  }
  return new UserError("nothing-to-do", "every case is skipped: none has a selected class", {
    hint: "a case without `mock` needs a model: add `mock` to the case, or pass --model",
  });
}
