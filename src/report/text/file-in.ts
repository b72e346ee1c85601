/** A file of a skill as the user would name it, from the folder of the skill and the place in it; `.` is the folder itself. */
export function fileIn(folder: string, file: string): string {
  if (file === ".") return folder;
  return folder === "." ? file : `${folder}/${file}`;
}
