// What a run can be asked for at most, on the command line, in a file or by a program alike.
export const mostTrials = 1000;
export const mostRetries = 20;
export const mostConcurrency = 1024;
