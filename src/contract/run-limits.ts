// What a run can be asked for at most, on the command line, in a file or by a program alike.
export const maxTrials = 1000;
export const maxRetries = 20;
export const maxConcurrency = 1024;
