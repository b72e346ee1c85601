import type { SyntaxNode } from "@lezer/common";
import type { PositionFinder } from "../../shared/json/locations.ts";
import { childNodes, isDormant, nodeName, nodeText, type ParsedPython } from "./parse-python.ts";
import type { PythonFinding } from "./python-module.ts";

/** `except` clauses that turn any error at all into a result. */
export function findSwallowedErrors({ source, tree }: ParsedPython, locate: PositionFinder): PythonFinding[] {
  const found: PythonFinding[] = [];
  tree.iterate({
    enter(ref) {
      if (ref.name === "Body" && isDormant(source, ref.node)) return false;
      if (ref.name !== "TryStatement") return;
      for (const { keyword, error, body } of readClauses(ref.node)) {
        const caught = error === null ? "bare except" : everyError(source, error);
        if (caught === null || body === null || !returnsDict(source, body)) continue;
        found.push({ line: locate(keyword.from).line, pattern: `${caught} returns a dict` });
      }
    },
  });
  return found;
}

interface Clause {
  keyword: SyntaxNode;
  error: SyntaxNode | null;
  body: SyntaxNode | null;
}

function readClauses(statement: SyntaxNode): Clause[] {
  const clauses: Clause[] = [];
  for (const child of childNodes(statement)) {
    const last = clauses.at(-1);
    if (child.name === "except") clauses.push({ keyword: child, error: null, body: null });
    else if (last === undefined || last.body !== null) continue;
    else if (child.name === "Body") last.body = child;
    else if (child.name !== "*") last.error ??= child;
  }
  return clauses;
}

/** `except Exception`, where a clause catches all errors by name; null where it does not. */
function everyError(source: string, error: SyntaxNode): string | null {
  const named = error.name === "TupleExpression" ? childNodes(error) : [error];
  for (const node of named) {
    const name = node.name === "MemberExpression" ? node.getChild("PropertyName") : node;
    const text = name === null ? "" : nodeText(source, name);
    if (text === "Exception" || text === "BaseException") return `except ${text}`;
  }
  return null;
}

/** Whether a clause gives back a dict that it made, and never raises. */
function returnsDict(source: string, body: SyntaxNode): boolean {
  const dicts = new Set<string>();
  let returns = false;
  let raises = false;
  body.cursor().iterate((ref) => {
    if (raises || ref.name === "FunctionDefinition" || ref.name === "ClassDefinition") return false;
    if (ref.name === "RaiseStatement") raises = true;
    if (ref.name === "AssignStatement") {
      const { firstChild: name, lastChild: value } = ref.node;
      if (name?.name === "VariableName" && value !== null && isDict(source, value))
        dicts.add(nodeName(source, name));
    }
    if (ref.name === "ReturnStatement") {
      const value = ref.node.lastChild;
      if (value !== null && (isDict(source, value) || dicts.has(nodeName(source, value)))) returns = true;
    }
    return true;
  });
  return returns && !raises;
}

function isDict(source: string, value: SyntaxNode): boolean {
  let inner = value;
  while (inner.name === "ParenthesizedExpression" && inner.firstChild?.nextSibling)
    inner = inner.firstChild.nextSibling;
  if (inner.name === "DictionaryExpression" || inner.name === "DictionaryComprehensionExpression")
    return true;
  const callee = inner.name === "CallExpression" ? inner.firstChild : null;
  return callee !== null && nodeText(source, callee) === "dict";
}
