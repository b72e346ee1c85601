import { isUtf8 } from "node:buffer";

/** The text of a Python file, in the encoding that it names; null where it names none and is not UTF-8. */
export function decodePython(bytes: Uint8Array): string | null {
  if (isUtf8(bytes)) return new TextDecoder("utf-8").decode(bytes);
  const name = namedEncoding(bytes);
  if (name === null) return null;
  try {
    return new TextDecoder(name).decode(bytes);
  } catch {
    // One that only Python knows. What is looked for is written in ASCII, which nearly all of them share.
    return new TextDecoder("latin1").decode(bytes);
  }
}

const longestHead = 1000;

/** What a comment in the first two lines says, such as `# -*- coding: gbk -*-`. */
function namedEncoding(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, longestHead)).toString("latin1");
  const [first = "", second = ""] = head.split(/\r\n?|\n/, 2);
  for (const line of [first, second]) {
    const name = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1];
    if (name !== undefined) return name;
    if (!/^[ \t\f]*(?:#|$)/.test(line)) return null;
  }
  return null;
}
