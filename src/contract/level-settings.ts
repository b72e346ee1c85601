import type { Json } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import type { RunReport } from "./document.ts";

/** The settings that only one level has: a run over several levels files them under its name. */
export function levelSettings(
  { settings }: Pick<RunReport, "settings">,
  level: string,
): Readonly<Record<string, Json>> {
  const own = Object.hasOwn(settings, level) ? settings[level] : null;
  return isMap(own) ? (own as Record<string, Json>) : settings;
}
