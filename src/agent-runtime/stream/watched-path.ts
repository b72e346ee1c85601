import type { Json } from "../../shared/json/json.ts";

/**
 * A path of a JSON text to watch: `$.action.type`, `$.skills[*].name`, `$.rows[0]`.
 * `realtime` gets the value once it is known, `incremental` each new part of a string. The reported path has its indices.
 */
export type WatchedPath =
  | { path: string; mode: "realtime"; on: (value: Json, path: string) => void }
  | { path: string; mode: "incremental"; on: (text: string, path: string) => void };

/** A node in the tree of all watched paths. */
export interface PathNode {
  branches: { step: PathStep; node: PathNode }[];
  realtime: ((value: Json, path: string) => void)[];
  incremental: ((text: string, path: string) => void)[];
}

/** A key, an index, or `each`: any index. */
export type PathStep = string | number | typeof each;

export const each: unique symbol = Symbol("[*]");

/** Where nobody listens. */
export const nowhere: readonly PathNode[] = [];

/** Joins watched paths into one tree; a path that `readPath` refuses is the caller's mistake. */
export function pathTree(watched: readonly WatchedPath[]): PathNode {
  const root = emptyNode();
  for (const watch of watched) {
    const steps = readPath(watch.path);
    if (steps === null) throw new Error(`not a path to watch: ${watch.path}`);
    let node = root;
    for (const step of steps) node = findBranch(node, step);
    if (watch.mode === "realtime") node.realtime.push(watch.on);
    else node.incremental.push(watch.on);
  }
  return root;
}

const step = /\.([A-Za-z_][\w-]*)|\[(?:(\*)|(0|[1-9]\d{0,8})|("(?:[^"\\]|\\.)*"))\]/y;

/** The steps of `$.name`, `["any key"]`, `[0]` and `[*]`; null where it is not of this form. */
export function readPath(path: string): PathStep[] | null {
  if (!path.startsWith("$")) return null;
  const steps: PathStep[] = [];
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (found === null) return null;
    const [, name, star, index, quoted] = found;
    if (name !== undefined) steps.push(name);
    else if (star !== undefined) steps.push(each);
    else if (index !== undefined) steps.push(Number(index));
    else {
      const key = readKey(quoted as string);
      if (key === null) return null;
      steps.push(key);
    }
  }
  return steps;
}

/** What listens one step further down. */
export function stepInto(nodes: readonly PathNode[], step: string | number): readonly PathNode[] {
  if (nodes.length === 0) return nowhere;
  const found: PathNode[] = [];
  for (const { branches } of nodes)
    for (const branch of branches)
      if (branch.step === step || (branch.step === each && typeof step === "number")) found.push(branch.node);
  return found.length === 0 ? nowhere : found;
}

/** A step as it is written in a path. */
export function stepText(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[A-Za-z_][\w-]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

function findBranch(node: PathNode, step: PathStep): PathNode {
  const known = node.branches.find((branch) => branch.step === step);
  if (known !== undefined) return known.node;
  const fresh = emptyNode();
  node.branches.push({ step, node: fresh });
  return fresh;
}

function emptyNode(): PathNode {
  return { branches: [], realtime: [], incremental: [] };
}

function readKey(literal: string): string | null {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return null;
  }
}
