/** The place of a value inside a document: `$.tasks[3].timeoutMs`. */
export function jsonPath(steps: readonly PropertyKey[]): string {
  return `$${steps.map(step).join("")}`;
}

/** The same as a JSON pointer: `/tasks/3/timeoutMs`; empty for the root. */
export function jsonPointer(steps: readonly PropertyKey[]): string {
  return steps.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function step(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const name = String(key);
  return /^[A-Za-z_$][\w$-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
