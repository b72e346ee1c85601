/** What broke a connection, in words: an error that bundles several has none of its own, and a code can be looked up. */
export function networkWords(error: Error & { code?: string; errors?: readonly Error[] }): string {
  const words = error.message || error.errors?.map(({ message }) => message).join("; ") || error.name;
  return error.code === undefined || words.includes(error.code) ? words : `${words} (${error.code})`;
}

/** A status that is no success, in words, with what the server said about it. */
export function statusWords(status: number, said: string): string {
  return said === "" ? `HTTP ${status}` : `HTTP ${status}: ${said}`;
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

export function redirectWords(status: number): string {
  return `HTTP ${status} redirect is not followed`;
}
