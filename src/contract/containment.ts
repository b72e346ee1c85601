import * as z from "zod";
import { sandboxLevels } from "./limits.ts";

/** What a live probe found out about the sandbox of a skill. Stamped on every run and its reports. */
export const Containment = z.object({
  level: z.enum(sandboxLevels),
  /** The program that does the containing, or null where nothing does. */
  backend: z.string().nullable(),
  network: z.union([z.enum(["open", "none"]), z.array(z.string()).readonly()]),
  /** Checks the level would want and this machine did not pass, by name. */
  unproven: z.array(z.string()).readonly(),
  /** Why it is not stronger and what would make it so: `bubblewrap not installed; try: sudo apt-get install bubblewrap`. */
  hint: z.string().nullable().optional(),
});
export type Containment = z.infer<typeof Containment>;

/** What every single result stores of it: a run may be resumed on a machine that contains less. */
export const ContainmentStamp = Containment.omit({ hint: true });
export type ContainmentStamp = z.infer<typeof ContainmentStamp>;
