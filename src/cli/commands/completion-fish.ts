import type { CommandWords, OptionWords, Values } from "./completion-words.ts";

/** The completion script for fish. */
export function fishCompletion(commands: readonly CommandWords[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== "");
  return `# Completion of eval-skills for fish. Load it with: eval-skills completion fish | source
set -g __eval_skills_places ${paths.map(quoted).join(" ")}

function __eval_skills_at --description 'Whether this is the command typed so far'
    set -l place ''
    for word in (commandline -opc)[2..-1]
        set -l next (string trim -- "$place $word")
        if contains -- "$next" $__eval_skills_places
            set place "$next"
        end
    end
    test "$place" = "$argv[1]"
end

complete -c eval-skills -f
${commands.flatMap(commandLines).join("\n")}
`;
}

function commandLines({ path, commands, options, argument }: CommandWords): string[] {
  const here = `complete -c eval-skills -n ${quoted(`__eval_skills_at ${quoted(path)}`)}`;
  return [
    ...commands.map(({ name, description }) => `${here} -a ${quoted(name)} -d ${quoted(description)}`),
    ...(argument === null ? [] : [`${here} ${valueFlags(argument)}`]),
    ...options.map((option) => `${here} ${optionFlags(option)}`),
  ].map((line) => line.trimEnd());
}

function optionFlags({ names, description, values }: OptionWords): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const takes = values === null ? [] : ["-r", valueFlags(values)];
  return [...flags, ...takes, `-d ${quoted(description)}`].filter((flag) => flag !== "").join(" ");
}

function valueFlags(values: Values): string {
  switch (values.kind) {
    case "words":
      return `${values.isFileToo ? "-F" : "-f"} -a ${quoted(values.words.join(" "))}`;
    case "files":
      return "-F";
    case "folders":
      return "-f -a '(__fish_complete_directories)'";
    case "any":
      return "-f";
    default:
      return values satisfies never;
  }
}

/** Text quoted for fish. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
