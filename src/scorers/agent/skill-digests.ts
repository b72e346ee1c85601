import { shownText } from "../../base/visible-text.ts";
import type { AgentEvent } from "../../contract/agent-event.ts";
import type { Fault, Look } from "./dimension.ts";
import { faultAt } from "./fault-at.ts";
import { isSameHash } from "./recorded-text.ts";
import { type RunView, unknownWords } from "./run-view.ts";

type Load = AgentEvent<"skill_loaded" | "resource_loaded">;

/** Whether what was loaded is what was indexed, and what was installed what was handed out. */
export function lookAtDigests(view: RunView): Look {
  const { indexed } = view;
  const loads: Load[] = [...view.of("skill_loaded"), ...view.of("resource_loaded")];
  const preinstalled = indexed?.data.preinstalled ?? [];
  const changed = loads.filter((load) => digestsOf(view, load).some((digest) => digest === "other"));
  const swapped = preinstalled.filter(({ digest, origin_digest }) => !isSameHash(digest, origin_digest));
  const faults: Fault[] = faultAt(changed, ([{ data }]) => ({
    code: "SkillDigestMismatch",
    message: `${shownText(data.skill.name)} was loaded with another content than it was indexed with`,
    expected: indexedAs(view, data.skill)[0]?.digest ?? null,
    actual: data.skill.digest,
  }));
  for (const { name, digest, origin_digest } of swapped.slice(0, 1))
    faults.push({
      code: "SkillDigestMismatch",
      message: `${shownText(name)} was installed with another content than its origin has`,
      expected: origin_digest,
      actual: digest,
      at: indexed === null ? [] : [indexed],
    });
  const isUnknown = loads.some((load) => digestsOf(view, load).includes("unknown"));
  const why = view.tells("digests") ? "the digest of a loaded skill is not told" : unknownWords("digests");
  return {
    name: "skills are as indexed",
    asked: false,
    exercised: loads.length > 0 || preinstalled.length > 0,
    unseen: indexed === null || isUnknown || !view.tells("digests") ? why : null,
    faults,
  };
}

/** How the digest of a load stands to those in the index, where it has such a skill at all. */
function digestsOf(view: RunView, { data: { skill } }: Load): ("same" | "other" | "unknown")[] {
  const known = indexedAs(view, skill);
  if (known.length === 0) return isIndexed(view, skill.name) ? ["unknown"] : [];
  const { digest } = skill;
  if (digest === null || known.some((each) => each.digest === null)) return ["unknown"];
  return [known.some((each) => each.digest !== null && isSameHash(each.digest, digest)) ? "same" : "other"];
}

function indexedAs(view: RunView, skill: Load["data"]["skill"]) {
  return listedIn(view).filter(
    ({ name, source }) =>
      name === skill.name && (source == null || skill.source == null || source === skill.source),
  );
}

function isIndexed(view: RunView, name: string): boolean {
  return listedIn(view).some((skill) => skill.name === name);
}

function listedIn({ indexed }: RunView) {
  return [...(indexed?.data.skills ?? []), ...(indexed?.data.shadowed ?? [])];
}
