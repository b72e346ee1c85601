/** Ends a text about a skill that was cut, so that whoever reads it knows. */
export const truncationTag = "[...truncated...]";
