import type { ProgramProbing } from "../contract/probing.ts";
import type { Scorer } from "../contract/scorer.ts";
import { canonicalJson } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";
import { within } from "../shared/json/time-limit.ts";
import { defaultProbes } from "./probe-expectation.ts";
import { type ScorerRequest, vacuous } from "./scorer-request.ts";
import { type Part, type Parts, partsIn } from "./several-parts.ts";

const limitMs = 200;

/** Refuses an expectation that everything meets: the others decide alone, and it only raises the mean. */
export function refuseEmptyPart(item: Parts, request: ScorerRequest): void {
  for (const { path, scorer } of partsIn(item)) {
    const { probing } = scorer;
    if (probing === undefined || probing.near !== undefined) continue;
    const tried = within(limitMs, () => defaultProbes(0).every(({ value }) => probing.accepts(value)));
    if (tried.isInTime && tried.value)
      throw vacuous({ ...request, part: path }, "", "any answer meets this expectation", "remove it");
  }
}

/** How several expectations are tried together: a wrong answer has to pass all of them. */
export function combinedProbing(items: readonly Parts[]): Pick<Scorer, "probing" | "programProbing"> {
  // Alternatives that no wrong answer can pass change nothing; one such expectation rejects them all.
  const groups = items.map((item) => partsIn(item).filter(isOpen));
  if (groups.some((group) => group.length === 0)) return {};
  const parts = groups.flat();
  const programs = parts.flatMap(({ scorer: { programProbing } }) =>
    programProbing ? [programProbing] : [],
  );
  const here = parts.flatMap(({ scorer: { probing } }) => (probing ? [probing] : []));
  const isRight = (answer: Json) => [...here, ...programs].some((one) => one.isRight?.(answer) === true);
  const readsWrappers = [...here, ...programs].some((one) => one.readsWrappers === true);
  const advice = [...new Set([...here, ...programs].map((one) => one.advice))].join(", or ");
  const common = { member: ".expect", isRight, readsWrappers, advice };
  const mayTakeLong = here.some((one) => one.mayTakeLong === true);
  if (programs.length === 0)
    return {
      probing: {
        ...common,
        accepts: (answer) =>
          groups.every((group) => group.some(({ scorer }) => scorer.probing?.accepts(answer))),
        others: here.flatMap(({ near = [], others = [] }) => [...near, ...others]),
        mayTakeLong,
      },
    };
  // Patterns that may be hostile are only matched within a time limit, which programs cannot keep.
  return mayTakeLong ? {} : { programProbing: askAll(groups, programs, common) };
}

function isOpen({ scorer: { probing, programProbing } }: Part): boolean {
  return probing !== undefined || programProbing !== undefined;
}

function askAll(
  groups: readonly (readonly Part[])[],
  programs: readonly ProgramProbing[],
  common: Pick<ProgramProbing, "member" | "isRight" | "readsWrappers" | "advice">,
): ProgramProbing {
  return {
    ...common,
    program: canonicalJson(programs.map(({ program }) => program)),
    maxCases: Math.min(...programs.map(({ maxCases }) => maxCases)),
    async ask(answers) {
      const problems: string[] = [];
      const askPart = async ({ scorer: { probing, programProbing } }: Part): Promise<readonly Passed[]> => {
        if (programProbing === undefined) return answers.map((answer) => probing?.accepts(answer) ?? false);
        const { passed, problem } = await programProbing.ask(answers);
        if (problem !== null) problems.push(problem);
        return passed;
      };
      const asked = await Promise.all(groups.map((group) => Promise.all(group.map(askPart))));
      const passed = answers.map((_, at) => {
        const ofGroups = asked.map((parts) =>
          settle(
            parts.map((part) => part[at] ?? null),
            true,
          ),
        );
        return settle(ofGroups, false);
      });
      return { passed, problem: problems[0] ?? null };
    },
  };
}

/** Null where a program broke. */
type Passed = boolean | null;

/** The word that is enough, where one of them says it; else null if one of them does not know. */
function settle(said: readonly Passed[], word: boolean): Passed {
  if (said.includes(word)) return word;
  return said.includes(null) ? null : !word;
}
