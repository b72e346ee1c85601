import { shorten } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";

/** A whole number in range, complete and finite, or exit 2: `4x`, `1.5`, `-1` and `1e9` are none. */
export function parseCount(text: string, flag: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw refusal(flag, `a whole number ${range}`, text);
}

/** A number from 0 to 1, or exit 2: `80%`, `NaN` and `1.5` are none; nor are 0 and 1, where the range is open. */
export function parseRate(text: string, flag: string, isOpen = false): number {
  const value = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (isOpen ? value > 0 && value < 1 : value >= 0 && value <= 1) return value;
  throw refusal(flag, isOpen ? "a number between 0 and 1" : "a number from 0 to 1", text);
}

/** Any finite number, or exit 2: `1_000`, `0x10`, `5 apples` and `Infinity` are none. */
function parseNumber(text: string, flag: string): number {
  const value = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw refusal(flag, "a number", text);
}

/** A finite number within a range, its ends included, or exit 2. */
export function parseNumberIn(text: string, flag: string, min: number, max = Infinity): number {
  const value = parseNumber(text, flag);
  if (value >= min && value <= max) return value;
  throw refusal(
    flag,
    max === Infinity ? `a number of at least ${min}` : `a number from ${min} to ${max}`,
    text,
  );
}

function refusal(flag: string, wanted: string, text: string): UserError {
  return new UserError("usage", `${flag} takes ${wanted}, not ${JSON.stringify(shorten(text, 60))}`);
}
