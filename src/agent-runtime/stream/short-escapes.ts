/** What the letter after a backslash stands for, by code; 0 where it is no escape of two characters. */
export const shortEscapes: Uint8Array = new Uint8Array(128);

const meanings = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
for (const [letter, character] of Object.entries(meanings))
  shortEscapes[letter.charCodeAt(0)] = character.charCodeAt(0);
