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
