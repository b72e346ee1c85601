/** The commands that a help lists, those of groups with the name of their group. */
export async function commandsIn(help: (name: string) => Promise<string>, group = ""): Promise<string[]> {
  const sections = (await help(group)).split(/^(?=[A-Z][\w ]*:$)/m);
  const lists = sections.filter((text) => !/^(?:Usage|Options|Arguments|Examples):?/.test(text));
  const names = lists.flatMap((text) =>
    [...text.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name ?? ""),
  );
  const commands: string[] = [];
  for (const name of names.filter((one) => one !== "help")) {
    const path = `${group} ${name}`.trim();
    const inner = await commandsIn(help, path);
    // `trigger` is a command and has one below it.
    commands.push(...(inner.length === 0 || path === "trigger" ? [path] : []), ...inner);
  }
  return commands;
}
