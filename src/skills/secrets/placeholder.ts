/** Whether a value stands for a secret rather than being one: `YOUR_KEY`, `xxxx`, `${TOKEN}`, the example of a manual. */
export function isPlaceholder(value: string): boolean {
  if (/^[$%<{[]|\$\{|\{\{|[<>*…]|\.\.\.|^process\.|^os\.|^env[.[(]/.test(value)) return true;
  if (stands.test(value) || sequence.test(value)) return true;
  return new Set(value.replace(/^[a-z]{2,10}[_-]/i, "")).size < leastLetters(value.length);
}

const stands =
  /example|placeholder|sample|dummy|fake|changeme|change[-_]me|redacted|secret_?here|your|mykey|my[-_]|insert|replace|todo|test[-_]?(?:key|token|secret)|x{4}|0{6}|1{6}|a{6}|foo|bar(?!er)|hunter2|passw|^pass|secure|secret/i;
const sequence = /12345|abcde|qwert|98765/i;

/** A random text of this length has at least so many different letters. */
function leastLetters(length: number): number {
  return Math.min(10, Math.floor(length / 2));
}
