/** Changes when a verdict of before may be another one now: conversations that are kept are graded again then. */
export const conversationGraderVersion = "conversation-1";
