import * as z from "zod";
import { sandboxLevels } from "./sandbox-level.ts";

/** What a live probe found out about the walls around a skill. Stamped on every run and its reports. */
export const Containment = z.object({
  level: z.enum(sandboxLevels),
  /** The program that does the containing, or null where nothing does. */
  backend: z.string().nullable(),
  network: z.union([z.enum(["open", "none"]), z.array(z.string()).readonly()]),
  /** Checks the level would want and this machine did not pass, by name. */
  unproven: z.array(z.string()).readonly(),
});
export type Containment = z.infer<typeof Containment>;
