/** Shapes that only a real credential has. Every repetition is bounded, so that no file can make a search slow. */
const shapes: readonly { name: string; shape: RegExp; isReal?: (text: string) => boolean }[] = [
  {
    name: "an AWS access key",
    shape: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
    isReal: (text) => !text.endsWith("EXAMPLE"),
  },
  { name: "a GitHub token", shape: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40})/g },
  {
    name: "an API key",
    shape: /\bsk-[\w-]{20,200}/g,
    isReal: (text) => /\d/.test(text) && /[A-Z]/.test(text),
  },
  { name: "a Google API key", shape: /\bAIza[\w-]{35}(?![\w-])/g },
  { name: "a Slack token", shape: /\bxox[abeoprs]-[A-Za-z0-9-]{10}/g },
  { name: "a Slack webhook", shape: /hooks\.slack\.com\/services\/T\w{8,12}\/B\w{8,12}\/\w{20,30}/g },
  { name: "a Discord webhook", shape: /discord(?:app)?\.com\/api\/webhooks\/\d{15,20}\/[\w-]{60,80}/g },
  { name: "a Telegram bot token", shape: /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { name: "a Stripe key", shape: /\b[rs]k_live_[A-Za-z0-9]{24,120}/g },
  { name: "a GitLab token", shape: /\bglpat-[\w-]{20,40}/g },
  { name: "an npm token", shape: /\bnpm_[A-Za-z0-9]{36}(?!\w)/g },
  { name: "a PyPI token", shape: /\bpypi-AgEIcHlwaS5vcmc[\w-]{50,200}/g },
  { name: "a Hugging Face token", shape: /\bhf_[A-Za-z]{34}(?!\w)/g },
  { name: "a SendGrid key", shape: /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g },
  { name: "a DigitalOcean token", shape: /\bdo[opr]_v1_[a-f0-9]{64}(?!\w)/g },
  { name: "a Google client secret", shape: /\bGOCSPX-[\w-]{28}(?![\w-])/g },
  { name: "a private key", shape: /-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY-----/g },
];

/** Something of each shape above. */
const anyShape =
  /AKIA|ASIA|gh[pousr]_|github_pat_|sk-|AIza|xox|hooks\.slack|webhooks\/|:AA|k_live_|glpat-|npm_|pypi-|hf_|SG\.|_v1_|GOCSPX|PRIVATE KEY/;

const windowBytes = 1024 * 1024;
const overlapBytes = 512;

/** Which kind of credential is written into these bytes, or null. Never the credential itself. */
export function credentialIn(content: Buffer): string | null {
  for (let start = 0; start < content.length; start += windowBytes - overlapBytes) {
    const found = credentialsIn(content.toString("latin1", start, start + windowBytes)).next();
    if (!found.done) return found.value.name;
  }
  return null;
}

/** Every credential written into a text: its kind, where it begins, and itself, which is not to be shown. */
export function* credentialsIn(text: string): Generator<{ name: string; index: number; secret: string }> {
  if (!anyShape.test(text)) return; // one quick look instead of a slow one for each shape
  for (const { name, shape, isReal } of shapes)
    for (const { 0: secret, index } of text.matchAll(shape))
      if (isReal === undefined || isReal(secret)) yield { name, index, secret };
}

/** Whether a value is a placeholder for a secret: `YOUR_KEY`, `xxxx`, `${TOKEN}`, an example from a manual. */
export function isPlaceholder(value: string): boolean {
  if (/^[$%<{[]|\$\{|\{\{|[<>*…]|\.\.\.|^process\.|^os\.|^env[.[(]/.test(value)) return true;
  if (placeholderShape.test(value) || sequence.test(value)) return true;
  return new Set(value.replace(/^[a-z]{2,10}[_-]/i, "")).size < leastLetters(value.length);
}

const placeholderShape =
  /example|placeholder|sample|dummy|fake|changeme|change[-_]me|redacted|secret_?here|your|mykey|my[-_]|insert|replace|todo|test[-_]?(?:key|token|secret)|x{4}|0{6}|1{6}|a{6}|foo|bar(?!er)|hunter2|passw|^pass|secure|secret/i;
const sequence = /12345|abcde|qwert|98765/i;

/** A random text of this length has at least so many different letters. */
function leastLetters(length: number): number {
  return Math.min(10, Math.floor(length / 2));
}
