import * as z from "zod";

/** The levels that a gate of the configuration can name. */
export const gateLevels = ["contract", "unit", "trigger", "agent", "conversation", "planbench"] as const;

const share = z.number().min(0).max(1);

/** What subjects must reach, by the keys of the configuration. */
const lines = {
  minCompletion: share.optional(),
  minRecall: share.optional(),
  minPrecision: share.optional(),
  maxErrorRate: share.optional(),
  maxP95Ms: z.number().min(0).optional(),
  maxInvalid: share.optional(),
  minCoverage: share.optional(),
};

/** A line of a gate on one figure of a run. */
export type GateLine = Exclude<keyof typeof lines, "maxInvalid" | "minCoverage">;

/** A line of any kind. */
type GateKey = keyof typeof lines;

const gateKeys = Object.keys(lines) as GateKey[];

/** One entry of `gates` in the configuration: which subjects it is about, and what they must reach. */
export const ConfiguredGate = z
  .strictObject({
    /** An id; `*` stands for any characters. */
    skill: z.string().min(1).optional(),
    level: z.enum(gateLevels).optional(),
    on: z.enum(["point", "lower"]).optional(),
    ...lines,
  })
  .refine((entry) => gateKeys.some((key) => entry[key] !== undefined), {
    error: `has no requirement: add one of ${gateKeys.join(", ")}`,
  });
export type ConfiguredGate = z.infer<typeof ConfiguredGate>;

/** Whether an entry is about this skill at this level; one that names a skill is not about models. */
export function isAbout(
  { skill, level }: Pick<ConfiguredGate, "skill" | "level">,
  subject: { level: string; skillId: string | null },
): boolean {
  if (level !== undefined && level !== subject.level) return false;
  return skill === undefined || (subject.skillId !== null && pattern(skill).test(subject.skillId));
}

function pattern(glob: string): RegExp {
  const parts = glob.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*")}$`, "u");
}
