/** A policy that allows these and nothing else. */
export function policyOf(allowed: readonly string[]): string {
  // `default-src` does not cover the last three.
  return [
    "default-src 'none'",
    ...allowed,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** What every answer says: run nothing of it, frame nothing of it, keep nothing of it, tell nobody where you came from. */
export const safeHeaders = {
  "Content-Security-Policy": policyOf([]),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-store",
} as const;
