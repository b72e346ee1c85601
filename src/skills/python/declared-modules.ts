import type { DescribedSkill } from "../../contract/skill.ts";
import { isMap } from "../../shared/json/json-values.ts";

/** The modules that a skill says its tools need besides the standard library: `x-python: { modules: [...] }` of its manifest. */
export function declaredModules({ extra }: Pick<DescribedSkill, "extra">): string[] {
  const python = extra["x-python"];
  const modules = isMap(python) ? python.modules : undefined;
  return Array.isArray(modules) ? modules.filter((name) => typeof name === "string") : [];
}
