import type { SyntaxNode } from "@lezer/common";
import { literalOf, nameOf, textOf } from "./node-text.ts";

/** Whether what `**rest` takes in goes anywhere but into look-ups by a written name, such as `rest.get("mode")`. */
export function passesKeywordsOn(source: string, definition: SyntaxNode, rest: string): boolean {
  let passesOn = false;
  const body = definition.getChild("Body") ?? definition.lastChild;
  body?.cursor().iterate((ref) => {
    if (passesOn) return false;
    if (ref.name === "VariableName" && nameOf(source, ref) === rest) passesOn = !isLookUp(source, ref.node);
    return true;
  });
  return passesOn;
}

function isLookUp(source: string, name: SyntaxNode): boolean {
  const { parent } = name;
  if (parent === null) return false;
  if (parent.name === "BinaryExpression") return name.prevSibling?.name === "in";
  if (parent.name !== "MemberExpression") return false;
  const key = parent.getChild("String");
  if (key !== null) return literalOf(source, key) !== null;
  const method = parent.getChild("PropertyName");
  if (method === null || !lookUps.has(textOf(source, method))) return false;
  const argument = parent.parent?.getChild("ArgList")?.firstChild?.nextSibling;
  return argument !== null && argument !== undefined && literalOf(source, argument) !== null;
}

const lookUps: ReadonlySet<string> = new Set(["get", "pop", "setdefault"]);
