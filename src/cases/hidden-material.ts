/** Whether a path in the folder of a skill is what tests it: an agent that could read it would know the answers. */
export function isHiddenMaterial(path: string): boolean {
  // Some file systems take other letters for the same name.
  const [top, ...below] = path.toLowerCase().split("/");
  if (top === "eval.yaml" || top === "eval.yml" || top === "evals") return true;
  return top === "tests" && below.at(-1)?.endsWith(".eval.json") === true;
}
