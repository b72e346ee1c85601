import type { SyntaxNode } from "@lezer/common";
import type { PositionFinder } from "../../shared/json/locations.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import { chanceKind, isSeeding, type NameUse } from "./chance-of.ts";
import { isDormant, nodeName, type ParsedPython } from "./parse-python.ts";
import type { ChanceKind, PythonChance, PythonImport } from "./python-module.ts";

/** What makes results differ from call to call, each once, at its first use. */
export function findChances(
  { source, tree }: ParsedPython,
  imports: readonly PythonImport[],
  locate: PositionFinder,
): PythonChance[] {
  const meanings = importedMeanings(imports);
  const found = new Map<string, PythonChance>();
  let isSeeded = false;
  tree.iterate({
    enter(ref) {
      if (ref.name === "Body" && isDormant(source, ref.node)) return false;
      if (ref.name !== "VariableName") return;
      const meaning = meanings.get(nodeName(source, ref));
      if (meaning === undefined) return;
      const { name, use } = usedName(source, ref.node, meaning);
      if (isSeeding(name, use)) isSeeded = true;
      const kind = chanceKind(name, use);
      if (kind === null || found.has(name)) return;
      found.set(name, {
        kind,
        line: locate(ref.from).line,
        pattern: `${shorten(name, 80)} ${effects[kind]}`,
      });
    },
  });
  const chances = [...found].filter(([name]) => !(isSeeded && isOfSeeded(name)));
  return chances.map(([, chance]) => chance);
}

const effects: Readonly<Record<ChanceKind, string>> = {
  clock: "reads the clock",
  random: "is random",
  network: "uses the network",
};

/** Drawn from the one generator that a seed was given to. */
function isOfSeeded(name: string): boolean {
  return /^(?:numpy\.)?random\.[a-z]/.test(name);
}

/** What the imported names of a file refer to: `dt` for `datetime.datetime`. */
function importedMeanings(imports: readonly PythonImport[]): Map<string, string> {
  const meanings = new Map<string, string>();
  for (const { level, module, names, alias } of imports) {
    if (level > 0) continue;
    const first = module.split(".", 1)[0] ?? module;
    if (names === null) meanings.set(alias ?? first, alias === null ? first : module);
    for (const { name, local } of names ?? []) meanings.set(local, `${module}.${name}`);
  }
  return meanings;
}

/** Longer than any name that is looked for. */
const maxSteps = 5;

function usedName(source: string, start: SyntaxNode, meaning: string): { name: string; use: NameUse } {
  let name = meaning;
  let node = start;
  for (let step = 0; step < maxSteps; step++) {
    const { parent } = node;
    const member = parent?.name === "MemberExpression" ? parent.getChild("PropertyName") : null;
    if (parent === null || member === null || parent.from !== start.from) break;
    name += `.${nodeName(source, member)}`;
    node = parent;
  }
  const { parent } = node;
  if (parent?.name === "CallExpression" && parent.from === node.from)
    return { name, use: { calledWith: countArguments(parent) } };
  const isNamed = node !== start || (parent?.name === "ArgList" && node.nextSibling?.name !== "AssignOp");
  return { name, use: isNamed ? "named" : "unused" };
}

function countArguments(call: SyntaxNode): number {
  const list = call.getChild("ArgList");
  const first = list?.firstChild?.nextSibling ?? null;
  return first === null || first.name === ")" ? 0 : (list?.getChildren(",").length ?? 0) + 1;
}
