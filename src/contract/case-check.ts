import * as z from "zod";

/** How a program that judges a workspace ended: what a run directory keeps of it, in `checks.json`. */
export const CheckEnd = z.object({
  /** The hash of what was asked, with the files of the case it names: another check has another. */
  asked: z.string(),
  status: z.enum(["pass", "fail", "none"]),
  /** Why it failed, or why there is no verdict; empty for a pass. */
  message: z.string(),
  /** The end of what it wrote. */
  output: z.string(),
});
export type CheckEnd = z.infer<typeof CheckEnd>;

/** The file of a run directory that holds them, a list. */
export const checksFile = "checks.json";
