import type { Bait } from "./bait.ts";
import type { HomeBait } from "./home-bait.ts";

/** What a probe is made for: the bait, and where things are as seen from inside. */
export interface ProbeSetting {
  bait: Bait;
  home: HomeBait;
  inside: {
    /** The skill folder. */
    skill: string;
    /** The work folder. */
    work: string;
    temporary: string;
  };
  /** Where inside the way to listed hosts begins; null where there is none. */
  proxyPort: number | null;
  caps: { processes: number; fileBytes: number };
}

/** How it is in a sandbox of bubblewrap. */
export const insideBubblewrap: ProbeSetting["inside"] = { skill: "/skill", work: "/work", temporary: "/tmp" };
