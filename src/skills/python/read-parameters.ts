import type { SyntaxNode } from "@lezer/common";
import { literalText, nodeName, nodeText } from "./parse-python.ts";
import type { ParameterWay, PythonParameter } from "./python-module.ts";

/** The parameters of a function or a lambda, in order. */
export function readParameters(source: string, list: SyntaxNode): PythonParameter[] {
  const parameters: PythonParameter[] = [];
  let way: ParameterWay = "either";
  for (const part of splitParameters(source, list)) {
    const name = part.nodes.find((node) => node.name === "VariableName");
    if (part.sign === "/") for (const before of parameters) before.way = "positional-only";
    if (part.sign === "*") way = "keyword-only";
    if (name === undefined) continue;
    parameters.push({
      name: nodeName(source, name),
      way: part.sign === "*" ? "positional-rest" : part.sign === "**" ? "keyword-rest" : way,
      hasDefault: part.nodes.some((node) => node.name === "AssignOp"),
    });
  }
  return parameters;
}

interface Part {
  nodes: SyntaxNode[];
  sign: "*" | "**" | "/" | null;
}

/** Splits the list at its commas. The grammar has no node for a lone `/`, so it is searched for in the text. */
function splitParameters(source: string, list: SyntaxNode): Part[] {
  const parts: Part[] = [];
  let nodes: SyntaxNode[] = [];
  let bare = "";
  let end = list.from;
  const close = () => {
    const first = nodes[0]?.name;
    const slash = nodes.every((node) => node.type.isError) && bare.includes("/");
    parts.push({ nodes, sign: slash ? "/" : first === "*" || first === "**" ? first : null });
    nodes = [];
    bare = "";
  };
  for (let child = list.firstChild; child !== null; child = child.nextSibling) {
    bare += source.slice(end, child.from);
    end = child.to;
    if (child.name === ",") close();
    else if (child.name === "(" || child.name === ")" || child.name === "Comment") continue;
    else nodes.push(child);
    if (child.type.isError) bare += nodeText(source, child);
  }
  bare += source.slice(end, list.to);
  close();
  return parts;
}

/** Whether what `**rest` takes in goes anywhere but into look-ups by a written name, such as `rest.get("mode")`. */
export function passesKeywordsOn(source: string, definition: SyntaxNode, rest: string): boolean {
  let passesOn = false;
  const body = definition.getChild("Body") ?? definition.lastChild;
  body?.cursor().iterate((ref) => {
    if (passesOn) return false;
    if (ref.name === "VariableName" && nodeName(source, ref) === rest) passesOn = !isLookUp(source, ref.node);
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
  if (key !== null) return literalText(source, key) !== null;
  const method = parent.getChild("PropertyName");
  if (method === null || !lookUps.has(nodeText(source, method))) return false;
  const argument = parent.parent?.getChild("ArgList")?.firstChild?.nextSibling;
  return argument !== null && argument !== undefined && literalText(source, argument) !== null;
}

const lookUps: ReadonlySet<string> = new Set(["get", "pop", "setdefault"]);
