/** Reads a file of a skill: relative to its folder, `/`-separated, never outside of it. */
export type ReadFile = (path: string) => { ok: true; text: string } | { ok: false; problem: string };
