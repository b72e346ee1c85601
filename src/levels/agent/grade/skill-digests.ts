import type { CheckResult, Fault } from "../../../cases/grade/dimension.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { isSameHash } from "./recorded-text.ts";
import { faultAt, type RunView, unknownWords } from "./run-view.ts";

type Load = AgentEvent<"skill_loaded" | "resource_loaded">;

/** Whether the loaded content is the indexed one, and the installed content that of its origin. */
export function checkDigests(view: RunView): CheckResult {
  const { indexed } = view;
  const loads: Load[] = [...view.of("skill_loaded"), ...view.of("resource_loaded")];
  const preinstalled = indexed?.data.preinstalled ?? [];
  const found = loads.map((load) => ({ load, digest: compareDigest(view, load) }));
  const changed = found.flatMap(({ load, digest }) => (digest === "other" ? [load] : []));
  const swapped = preinstalled.filter(({ digest, origin_digest }) => !isSameHash(digest, origin_digest));
  const faults: Fault[] = faultAt(changed, ([{ data }]) => ({
    code: "SkillDigestMismatch",
    message: `${shownText(data.skill.name)} changed between indexing and loading`,
    expected: view.index.named(data.skill.name, data.skill.source)[0]?.digest ?? null,
    actual: data.skill.digest,
  }));
  for (const { name, digest, origin_digest } of swapped.slice(0, 1))
    faults.push({
      code: "SkillDigestMismatch",
      message: `${shownText(name)} was installed with different content than its origin`,
      expected: origin_digest,
      actual: digest,
      at: indexed === null ? [] : [indexed],
    });
  const isUnknown = indexed === null || found.some(({ digest }) => digest === "unknown");
  return {
    name: "skills are unchanged since indexing",
    isRequired: false,
    exercised: loads.length > 0 || preinstalled.length > 0,
    unseen: !view.records("digests")
      ? unknownWords("digests")
      : isUnknown
        ? "the digest of a loaded skill was not recorded"
        : null,
    faults,
  };
}

/** Compares the digest of a load with those in the index. A skill missing from the index is checked elsewhere. */
function compareDigest(view: RunView, { data: { skill } }: Load): "same" | "other" | "unknown" {
  if (view.index.named(skill.name).length === 0) return "same";
  const known = view.index.named(skill.name, skill.source).map(({ digest }) => digest);
  const { digest } = skill;
  if (known.length === 0 || digest === null || known.includes(null)) return "unknown";
  return known.some((each) => each !== null && isSameHash(each, digest)) ? "same" : "other";
}
