import { basename } from "node:path";
import type { DiagnosticLocation } from "../../contract/diagnostics.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import { jsonPath } from "../../shared/json/locations.ts";
import { listed } from "../../shared/text/phrases.ts";
import { shownText } from "../../shared/text/visible-text.ts";

/** A tool whose name is that of tools of other skills too. */
export interface SharedToolName<S> {
  skill: S;
  /** Where it is declared; line and column are not known without reading the manifest again. */
  place: DiagnosticLocation;
  message: string;
  hint: string;
}

type CatalogSkill = Pick<DescribedSkill, "id" | "manifest" | "tools">;

/** What PTS05 finds in a catalog: tools that other skills have as well, case aside, in the order of the skills. */
export function sharedToolNames<S extends CatalogSkill>(skills: readonly S[]): SharedToolName<S>[] {
  const holders = new Map<string, Holder[]>();
  for (const { id, tools } of skills)
    for (const name of new Set(tools.map((tool) => tool.name))) {
      const known = holders.get(name.toLowerCase());
      if (known === undefined) holders.set(name.toLowerCase(), [{ id, name }]);
      else known.push({ id, name });
    }
  return skills.flatMap((skill) =>
    [...new Set(skill.tools.map(({ name }) => name))].flatMap((name) => {
      // Several skills of one id are a finding of their own.
      const others = holders.get(name.toLowerCase())?.filter(({ id }) => id !== skill.id) ?? [];
      return others.length === 0 ? [] : [sharedName(skill, name, others)];
    }),
  );
}

interface Holder {
  id: string;
  name: string;
}

function sharedName<S extends CatalogSkill>(
  skill: S,
  name: string,
  others: readonly Holder[],
): SharedToolName<S> {
  const index = skill.tools.findIndex((tool) => tool.name === name);
  const words = others.map((other) =>
    other.name === name ? other.id : `${other.id} (as ${shownText(other.name)})`,
  );
  return {
    skill,
    place: { file: basename(skill.manifest ?? "skill.json"), jsonPath: jsonPath(["tools", index]) },
    message: `tool ${shownText(name)} also in ${listed([...new Set(words)].sort(), maxNamed)}`,
    hint: `prefix it: ${prefixed(skill.id, name)}`,
  };
}

const longestName = 64;
/** Of a name that thousands of skills have, each would otherwise name thousands. */
const maxNamed = 10;

/** A name that no other skill will have: `<skill_id>_<verb>`, as long as that is a name. */
function prefixed(id: string, name: string): string {
  const prefix = id.replaceAll("-", "_");
  const whole = `${prefix}_${name}`;
  return /^[A-Za-z_]\w*$/.test(whole) && whole.length <= longestName ? whole : `${shownText(prefix)}_<verb>`;
}
