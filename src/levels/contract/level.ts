import type { Level } from "../../contract/level.ts";
import { ContractDetails } from "./details.ts";
import { contractView } from "./view.ts";

/** Is a skill well formed, and harmless on paper? The checks of `doctor` and `audit` look at its files; nothing of it is run. */
export const contractLevel: Level = {
  name: "contract",
  nouns: { case: ["contract", "contracts"], subject: "skill" },
  details: ContractDetails,
  metrics: [
    {
      name: "completionRate",
      label: "contracts kept",
      unit: "share",
      better: "up",
      isCompared: true,
      isMain: true,
    },
    { name: "findings", label: "findings", unit: "count", better: "down", isCompared: true, isMain: true },
    { name: "failedContracts", label: "failed contracts", unit: "count", better: "down" },
  ],
  failures: "failedContracts",
  isGatedByName: true,
  view: contractView,
};
