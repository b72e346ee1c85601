import colors from "picocolors";

const painters = colors.createColors(true);

/** Colours our own words, where the stream is a terminal that wants colour. */
export function paint(
  color: "red" | "green" | "yellow" | "cyan" | "bold" | "dim",
  text: string,
  isWanted: boolean,
): string {
  return isWanted ? painters[color](text) : text;
}
