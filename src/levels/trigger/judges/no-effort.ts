/** What an answer took that no model was asked for: tokens and money nobody can tell. */
export const noEffort = { ms: 0, tokensIn: null, tokensOut: null, usd: null, cached: false } as const;
