import type { SyntaxNode } from "@lezer/common";
import { literalOf, nameOf, textOf } from "./parse-python.ts";
import type { ParameterWay, PythonParameter } from "./python-module.ts";

/** The parameters of a function or a lambda, in order. */
export function readParameters(source: string, list: SyntaxNode): PythonParameter[] {
  const parameters: PythonParameter[] = [];
  let way: ParameterWay = "either";
  for (const part of partsOf(source, list)) {
    const name = part.nodes.find((node) => node.name === "VariableName");
    if (part.sign === "/") for (const before of parameters) before.way = "positional-only";
    if (part.sign === "*") way = "keyword-only";
    if (name === undefined) continue;
    parameters.push({
      name: nameOf(source, name),
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

/** What stands between the commas. The grammar gives a lone `/` no node, so it is looked for in the text. */
function partsOf(source: string, list: SyntaxNode): Part[] {
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
    if (child.type.isError) bare += textOf(source, child);
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
