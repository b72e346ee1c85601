/** The effort of an answer without a model call. */
export const noEffort = { ms: 0, tokensIn: null, tokensOut: null, usd: null, cached: false } as const;
