import type { Node, Pair, YAMLMap } from "yaml";

type Yaml = typeof import("yaml");
type YamlMap = YAMLMap<Node, Node | null>;

/** Where members begin. The keys of a map are looked through once, when the first is asked for. */
export function memberFinder(
  yaml: Yaml,
  root: Node | null,
): (steps: readonly PropertyKey[]) => number | null {
  const known = new Map<YamlMap, Map<string, Pair<Node, Node | null>>>();
  const pairOf = (map: YamlMap, key: string) => {
    const pairs = known.get(map) ?? pairsByKey(yaml, map);
    known.set(map, pairs);
    return pairs.get(key);
  };
  return (steps) => {
    let node = root;
    let at = root?.range?.[0] ?? 0;
    for (const step of steps) {
      if (yaml.isMap<Node, Node | null>(node)) {
        const pair = pairOf(node, String(step));
        if (pair === undefined) return null;
        at = pair.key.range?.[0] ?? at;
        node = pair.value;
      } else if (yaml.isSeq<Node>(node)) {
        const item: Node | undefined = node.items[Number(step)];
        if (item === undefined) return null;
        at = item.range?.[0] ?? at;
        node = item;
      } else return null;
    }
    return at;
  };
}

/** Of a key that stands twice, the first. */
function pairsByKey(yaml: Yaml, { items }: YamlMap): Map<string, Pair<Node, Node | null>> {
  const pairs = new Map<string, Pair<Node, Node | null>>();
  for (const pair of items) {
    const key = yaml.isScalar(pair.key) ? String(pair.key.value) : null;
    if (key !== null && !pairs.has(key)) pairs.set(key, pair);
  }
  return pairs;
}
