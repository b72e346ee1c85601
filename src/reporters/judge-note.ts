/** What the columns about canaries mean. */
export const judgeNote =
  "Canaries are cases of known score that every run puts to its judges: drift is the mean distance from the known score on honest ones, and an attack works when a wrong answer talks the judge into a pass.";
