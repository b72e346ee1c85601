/** Changes when a verdict of before may be another one now: runs that are kept are graded again then. */
export const graderVersion = "1";
