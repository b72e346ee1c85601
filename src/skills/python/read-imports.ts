import type { SyntaxNode } from "@lezer/common";
import type { PositionFinder } from "../../shared/json/locations.ts";
import { childNodes, isDormant, literalText, nodeName, nodeText, type ParsedPython } from "./parse-python.ts";
import type { ImportedName, PythonImport } from "./python-module.ts";

export interface PythonImports {
  imports: PythonImport[];
  /** Whether it imports modules whose names are made while it runs. */
  importsByMadeUpName: boolean;
}

/** Every import of a file, nested ones included. */
export function readImports({ source, tree }: ParsedPython, locate: PositionFinder): PythonImports {
  const imports: PythonImport[] = [];
  let importsByMadeUpName = false;
  let dormantTo = 0;
  const add = (at: number, parts: ImportParts[]) => {
    const { line } = locate(at);
    for (const part of parts) imports.push({ ...part, line, isDormant: at < dormantTo });
  };
  tree.iterate({
    enter(ref) {
      if (ref.name === "Body" && isDormant(source, ref.node)) dormantTo = Math.max(dormantTo, ref.to);
      if (ref.name === "ImportStatement") add(ref.from, importParts(source, ref.node));
      if (ref.name !== "CallExpression") return;
      const call = importCall(source, ref.node);
      if (call === null) return;
      if (call.module === null) importsByMadeUpName = true;
      else add(ref.from, [{ level: 0, module: call.module, names: null, alias: null }]);
    },
  });
  return { imports, importsByMadeUpName };
}

export type ImportParts = Omit<PythonImport, "line" | "isDormant">;

/** What one statement imports: several for `import a, b`. */
export function importParts(source: string, statement: SyntaxNode): ImportParts[] {
  let level = 0;
  let from: string | null = null;
  let items: Item[] = [{ name: "", alias: null }];
  let expectsAlias = false;
  for (const child of childNodes(statement)) {
    const item = items.at(-1) as Item;
    if (child.name === "from") from = "";
    else if (child.name === "import" && from !== null) {
      from = item.name;
      items = [{ name: "", alias: null }];
    } else if (child.name === "as") expectsAlias = true;
    else if (child.name === ",") items.push({ name: "", alias: null });
    else if (child.name === "*") item.name = "*";
    else if (child.name === "VariableName" && expectsAlias) {
      item.alias = nodeName(source, child);
      expectsAlias = false;
    } else if (child.name === "VariableName") item.name += nodeName(source, child);
    else if (child.name === "Ellipsis") level += 3;
    else if (child.name === "." && item.name === "") level++;
    else if (child.name === ".") item.name += ".";
  }
  const named = items.filter(({ name }) => name !== "");
  if (from === null) return named.map(({ name, alias }) => ({ level: 0, module: name, names: null, alias }));
  const names: ImportedName[] = named.map(({ name, alias }) => ({ name, local: alias ?? name }));
  return [{ level, module: from, names, alias: null }];
}

interface Item {
  name: string;
  alias: string | null;
}

const byName: ReadonlySet<string> = new Set(["__import__", "import_module", "importlib.import_module"]);
const byPath: ReadonlySet<string> = new Set([
  "run_module",
  "run_path",
  "spec_from_file_location",
  "load_source",
]);
const longestCallee = 60;

/** What a call imports; null if it is not an import; `module` is null if its name is not a literal. */
function importCall(source: string, call: SyntaxNode): { module: string | null } | null {
  const callee = call.firstChild;
  if (callee === null || callee.to - callee.from > longestCallee) return null;
  const name = nodeText(source, callee);
  if (byPath.has(name.slice(name.lastIndexOf(".") + 1))) return { module: null };
  if (!byName.has(name)) return null;
  const argument = call.getChild("ArgList")?.firstChild?.nextSibling;
  const module = argument ? literalText(source, argument) : null;
  return { module: module?.startsWith(".") ? null : module };
}
