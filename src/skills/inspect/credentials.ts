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
  { name: "a private key", shape: /-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY-----/g },
];

const windowBytes = 1024 * 1024;
const overlapBytes = 512;

/** Which kind of credential is written into these bytes, or null. Never the credential itself. */
export function credentialIn(content: Buffer): string | null {
  for (let start = 0; start < content.length; start += windowBytes - overlapBytes) {
    const text = content.toString("latin1", start, start + windowBytes);
    for (const { name, shape, isReal } of shapes)
      for (const [match] of text.matchAll(shape)) if (isReal === undefined || isReal(match)) return name;
  }
  return null;
}
