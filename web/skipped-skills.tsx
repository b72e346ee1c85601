import type { SkipReason } from "../src/contract/trigger-report.ts";
import { skipWords } from "../src/reporters/describe-skips.ts";
import { grouped } from "./grouped.ts";
import { StrangerText } from "./stranger-text.tsx";

const listedAtMost = 20;

/** Skills without trigger tests, by the reason why; nothing where there are none. */
export function SkippedSkills(props: {
  skills: readonly { skillId: string; skipped: SkipReason | null }[];
  isPrinting: boolean;
}) {
  const byReason = new Map<SkipReason, string[]>();
  for (const { skillId, skipped } of props.skills)
    if (skipped !== null) byReason.set(skipped, [...(byReason.get(skipped) ?? []), skillId]);
  if (byReason.size === 0) return null;
  return (
    <div class="skipped">
      {[...byReason].map(([reason, skillIds]) => (
        <p key={reason}>
          <strong>
            Skipped, {skipWords[reason]} ({reason}):
          </strong>{" "}
          {(props.isPrinting ? skillIds : skillIds.slice(0, listedAtMost)).map((skillId, place) => (
            <span key={skillId}>
              {place > 0 && ", "}
              <StrangerText text={skillId} limit={80} />
            </span>
          ))}
          {!props.isPrinting &&
            skillIds.length > listedAtMost &&
            ` and ${grouped(skillIds.length - listedAtMost)} more`}
        </p>
      ))}
    </div>
  );
}
