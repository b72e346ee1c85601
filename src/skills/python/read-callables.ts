import type { SyntaxNode } from "@lezer/common";
import type { PositionFinder } from "../../shared/json/locations.ts";
import { childNodes, isDormant, nodeName, nodeText, type ParsedPython } from "./parse-python.ts";
import type { PythonCallable } from "./python-module.ts";
import { importParts } from "./read-imports.ts";
import { passesKeywordsOn, readParameters } from "./read-parameters.ts";

export interface PythonCallables {
  callables: Map<string, PythonCallable>;
  /** Whether it may have names that reading does not show. */
  mayHaveOtherNames: boolean;
}

/** What can be called by its name once a file was imported; where a name is bound again, the last time counts. */
export function readCallables({ source, tree }: ParsedPython, locate: PositionFinder): PythonCallables {
  const callables = new Map<string, PythonCallable>();
  let mayHaveOtherNames = false;

  const bind = (name: string, at: SyntaxNode, known: Partial<PythonCallable>) => {
    // In one branch of several it is not certain which of them will be called.
    const isUncertain = callables.has(name) && !isAlwaysRun(at);
    const callable = { line: locate(at.from).line, parameters: null, passesKeywordsOn: true, ...known };
    callables.set(name, isUncertain ? { ...callable, parameters: null } : callable);
  };
  const bindAssigned = (statement: SyntaxNode) => {
    const { targets, value } = assignment(statement);
    for (const target of targets) {
      const name = nodeName(source, target);
      if (value !== null && neverCallable.has(value.name)) {
        if (isAlwaysRun(statement)) callables.delete(name);
      } else if (value?.name === "VariableName")
        bind(name, statement, callables.get(nodeName(source, value)) ?? {});
      else bind(name, statement, value?.name === "LambdaExpression" ? signature(source, value) : {});
    }
  };

  tree.iterate({
    enter(ref) {
      switch (ref.name) {
        case "FunctionDefinition": {
          const name = ref.node.getChild("VariableName");
          if (name !== null) bind(nodeName(source, name), ref.node, signature(source, ref.node));
          if (name !== null && nodeText(source, name) === "__getattr__") mayHaveOtherNames = true;
          return false;
        }
        case "ClassDefinition": {
          const name = ref.node.getChild("VariableName");
          if (name !== null) bind(nodeName(source, name), ref.node, {});
          return false;
        }
        case "LambdaExpression":
          return false;
        case "Body":
          return !isDormant(source, ref.node);
        case "AssignStatement":
          bindAssigned(ref.node);
          return true;
        case "ImportStatement":
          for (const { name, local } of importParts(source, ref.node).flatMap((part) => part.names ?? [])) {
            if (name === "*") mayHaveOtherNames = true;
            else bind(local, ref.node, {});
          }
          return false;
        case "CallExpression":
          if (makesNames.has(nodeText(source, ref.node.firstChild ?? ref).slice(0, 20)))
            mayHaveOtherNames = true;
          return true;
        default:
          return true;
      }
    },
  });
  return { callables, mayHaveOtherNames };
}

const makesNames: ReadonlySet<string> = new Set(["exec", "globals", "locals", "setattr", "vars"]);

const neverCallable: ReadonlySet<string> = new Set([
  ...["Number", "String", "FormatString", "ContinuedString", "Boolean", "None", "Ellipsis"],
  ...["DictionaryExpression", "SetExpression", "ArrayExpression", "TupleExpression"],
]);

/** Decorators known not to change the parameters of a function; any other may. */
const harmlessDecorators: ReadonlySet<string> = new Set([
  ...["cache", "lru_cache", "staticmethod", "override", "final", "deprecated", "no_type_check"],
]);

function signature(source: string, node: SyntaxNode): Partial<PythonCallable> {
  const list = node.getChild("ParamList");
  // The parent of an undecorated function is the whole file, which may have ten thousand children.
  const decorated = node.parent?.name === "DecoratedStatement" ? node.parent : null;
  const isChanged = (decorated?.getChildren("Decorator") ?? []).some((decorator) => {
    const name = decorator.getChildren("VariableName").at(-1);
    return name === undefined || !harmlessDecorators.has(nodeText(source, name));
  });
  if (list === null || isChanged) return {};
  const parameters = readParameters(source, list);
  const rest = parameters.find(({ way }) => way === "keyword-rest");
  return {
    parameters,
    passesKeywordsOn: rest !== undefined && passesKeywordsOn(source, node, rest.name),
    isAsync: node.getChild("async") !== null,
  };
}

/** Names that are given a value, and the value where it is a single one. */
function assignment(statement: SyntaxNode): { targets: SyntaxNode[]; value: SyntaxNode | null } {
  const targets: SyntaxNode[] = [];
  let part: SyntaxNode[] = [];
  let isUnpacked = false;
  for (const child of childNodes(statement)) {
    if (child.name === "AssignOp") {
      for (const target of part) targets.push(target); // more than can be handed over at once
      part = [];
    } else if (child.name === ",") isUnpacked = true;
    else part.push(child);
  }
  const isSingle = !isUnpacked && part.length === 1;
  const named = targets.flatMap((target) =>
    target.name === "TupleExpression" || target.name === "ArrayExpression"
      ? target.getChildren("VariableName")
      : target.name === "VariableName"
        ? [target]
        : [],
  );
  return { targets: named, value: isSingle ? (part[0] ?? null) : null };
}

function isAlwaysRun(node: SyntaxNode): boolean {
  let parent = node.parent;
  while (parent?.name === "DecoratedStatement" || parent?.name === "StatementGroup") parent = parent.parent;
  return parent?.name === "Script";
}
