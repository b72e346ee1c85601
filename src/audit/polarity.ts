import { isSentence, lineAt, type TextBlock } from "./blocks.ts";

/**
 * How a block means the words found in it. `requested`: as something to do. `example`: it reports attacks or mistakes and
 * this is one. `forbidden`: the same sentence says not to do it, or quotes it as what is wrong.
 */
export type Polarity = "requested" | "example" | "forbidden";

/** How the words at `index` are meant, judged by their context. */
export function polarityAt(block: TextBlock, index: number): Polarity {
  const line = lineAt(block, index);
  // Words that forbid may be part of what was found ("do not tell"); those above it are not.
  if (line.isWarnedOf && !isWarning(line.text) && isSentence(block)) return "forbidden";
  if (isForbidden(block.text, index)) return "forbidden";
  const isQuoted = isInQuotes(block.text, index);
  const context = `${block.heading}\n${block.before}\n${block.text.slice(Math.max(0, index - 300), index + 300)}`;
  if (isQuoted && topic.test(context)) return "forbidden";
  if (isListed(block, index)) return "forbidden";
  return topic.test(block.heading) || (isQuoted && isSentence(block)) ? "example" : "requested";
}

/**
 * How a command is meant. A program does what it says, whatever a comment beside it thinks of it; only a list of what
 * is to be refused (quoted words below a name that says so) does not count.
 */
export function commandPolarity(block: TextBlock, index: number): Polarity {
  const line = lineAt(block, index);
  if (line.isComment) return "forbidden";
  if (block.file.kind === "prose") {
    if (line.isWarnedOf || isForbidden(block.text, index) || marked.test(block.text)) return "forbidden";
    const context = `${block.heading}\n${block.before}\n${spaced(block.file.path)}`;
    return topic.test(context) ? "example" : "requested";
  }
  return isListed(block, index) ? "forbidden" : "requested";
}

/** Whether a program or a setting only lists these words as what is to be refused. An argument of a call is not such a list. */
function isListed({ file, text, before }: TextBlock, index: number): boolean {
  if (!isInQuotes(text, index)) return false;
  if (file.kind === "data")
    return denied.test(before) || denied.test(text.slice(Math.max(0, index - 200), index));
  if (file.kind !== "code" || handedOver.test(text.slice(Math.max(0, index - 120), index))) return false;
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  return (
    refusal.test(name) ||
    refusal.test(before) ||
    refusal.test(text.slice(Math.max(0, index - 600), index + 600))
  );
}

function spaced(path: string): string {
  return path.replace(/[-_/.]/g, " ");
}

const denied = /["'](?:deny|denied|block\w{0,12}|forbidden|disallow\w{0,12}|dangerous\w{0,12})["']\s{0,3}:/i;
const handedOver =
  /\b(?:system|popen|run|call|check_\w{1,12}|exec\w{0,12}|spawn\w{0,6}|eval|print\w{0,6}|log|write\w{0,6}|getoutput)\s{0,2}\([^)]{0,80}$|(?:^|[\s;&|])(?:eval|exec|echo|(?:ba|z|da)?sh)\s[^;&|]{0,60}$/i;

/** Whether the clause before `index` negates the words: "never", "resist texts that say", "不要". */
function isForbidden(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 160), index);
  const clause = before.split(/[.!?;,。！？；]/).at(-1) ?? "";
  return turning.test(clause) || turningHere.test(before.slice(-60)) || /[❌🚫⛔✗✘]/u.test(before);
}

// "Don't worry" and "do not hesitate to" forbid nothing.
const turning =
  /\b(?:never|don['’]?t|do not|does not|doesn['’]?t|did not|must not|mustn['’]t|should not|shouldn['’]t|should never|cannot|can['’]?t|could|may try|might|avoid(?:s|ing)?|refus\w{1,4}|reject\w{0,3}|resist\w{0,3}|prevents?|preventing|prohibit\w{0,3}|forbid\w{0,5}|instead of|rather than|unless|if (?:the|a|an|any|some|it|they)\b|when(?:ever)? (?:the|a|an|any|some)\b|attempts? to|tries to|trying to|attacker\w{0,2}|detect\w{0,3}|flags?|flagged|looks? for|watch for|such as|like|e\.g|says?|saying|tells?|telling|told|contains?|containing|asks?|asking|claims?|claiming|no\s+(?:instruction|text|content))\b(?!\s{1,4}(?:worry|hesitate|forget|be afraid|stop|fail|need))/i;
const turningHere =
  /(?:不要|禁止|切勿|不得|请勿|避免|拒绝|严禁|不可|不能|绝不|如果|诸如|例如|比如|包含|检测|识别|防止|试图)[^。！？；,]{0,20}$/;

const topic =
  /\b(?:injections?|injected|jailbreak\w{0,5}|malicious|malware|attack\w{0,4}|adversar\w{1,6}|exploit\w{0,4}|phishing|red[- ]?team\w{0,4}|threats?|vulnerab\w{1,8}|suspicious|untrusted|red flags?|anti-?patterns?|bad (?:example|practice|pattern)s?|guardrails?|unsafe|insecure|dangerous|hostile|poison\w{0,3}|social engineering|manipulat\w{1,4}|detection|scanner|what not to do|common mistakes|pitfalls?|rationali[sz]ations?|never do|do not do|don['’]ts)\b|注入|攻击|恶意|越狱|威胁|漏洞|危险|黑名单|检测|可疑|反模式/i;
const marked =
  /[❌🚫⛔✗✘]|\b(?:reject(?:s|ed)?|deny|denied|denies|blocks?|blocked|dangerous|malicious|attack(?:er|ers|s)?|refuses?)\b|(?:#|\/\/)\s{0,4}(?:bad|wrong|never|don['’]?t|dangerous|avoid|unsafe|insecure)\b/iu;
const refusal =
  /block|deny|denied|danger|forbid|disallow|destruct|malicious|unsafe|suspicio|black_?list|attack|exploit|injection|pattern|detect|threat|redact|protected|sensitive|tactic|mitre|signature|guard|refuse|\breject(?:s|ed)?\b|\bban/i;

/** Whether `index` lies between quotation marks of any kind, or in an inline code span. */
function isInQuotes(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 200), index);
  if (/["“'‘`「『«]\s{0,2}$/.test(before)) return true;
  const odd = (quote: string) => before.split(quote).length % 2 === 0;
  if (odd('"') || odd("`")) return true;
  return (
    before.lastIndexOf("“") > before.lastIndexOf("”") || before.lastIndexOf("「") > before.lastIndexOf("」")
  );
}

const longest = 600;

// "Do not forget to run …" asks for what follows.
const negation =
  /\b(?:never|don['’]?t|do not|must not|mustn['’]t|should not|shouldn['’]t|avoid|refuse to|instead of|rather than)\b(?!\s{1,4}(?:forget|hesitate|skip|worry|miss|ask|tell|wait|stop|proceed|continue|inform|mention|need|be afraid|omit|neglect|question|let)\b)/i;
const aboutAttacks =
  /\b(?:dangerous|unsafe|insecure|malicious|attack(?:s|er|ers)?|exploit(?:s|ed)?|vulnerable|vulnerabilit(?:y|ies)|prompt injections?|red flags?|suspicious|anti-?patterns?|threat models?)\b/i;
const label = /^[\s#>*_\d.)(-]{0,20}(?:bad|wrong|incorrect|avoid|not this|before \(insecure\))\b/i;
const other = /[❌🚫⛔✗✘]|不要|禁止|切勿|避免|危险|恶意|しないで/u;

/** Whether a text reports something as wrong rather than asking for it. */
export function isWarning(text: string): boolean {
  const part = text.slice(0, longest);
  return negation.test(part) || aboutAttacks.test(part) || label.test(part) || other.test(part);
}
