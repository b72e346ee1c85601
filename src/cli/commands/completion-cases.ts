import type { CommandWords, OptionWords, Values } from "./completion-words.ts";

export interface Word {
  word: string;
  description: string;
}

/** Functions that bash and zsh both read: what is a command, what follows it, and what an option takes. */
export function caseFunctions(
  commands: readonly CommandWords[],
  list: (words: readonly Word[]) => string,
): string {
  const lines = (of: (command: CommandWords) => string) =>
    commands.map((command) => `    ${quoted(command.path)}) ${of(command)} ;;`).join("\n");
  return `_eval_skills_is_place() {
  case "$1" in
    ${commands
      .filter(({ path }) => path !== "")
      .map(({ path }) => quoted(path))
      .join("|")}) return 0 ;;
  esac
  return 1
}

_eval_skills_words() {
  case "$1" in
${lines((command) => print(wordsAfter(command, list)))}
  esac
}

_eval_skills_options() {
  case "$1" in
${lines(({ options }) => print(list(options.flatMap(optionWords))))}
  esac
}

_eval_skills_values() {
  takes=none values=""
  case "$1 $2" in
${commands.flatMap(({ path, options }) => options.flatMap((option) => valueCase(path, option))).join("\n")}
  esac
}`;
}

/** The subcommands, else what the command's argument can be. */
function wordsAfter({ commands, argument }: CommandWords, list: (words: readonly Word[]) => string): string {
  if (commands.length > 0)
    return list(commands.map(({ name, description }) => ({ word: name, description })));
  return argument === null ? "" : valueText(argument);
}

function optionWords({ names, description }: OptionWords): Word[] {
  return names.map((word) => ({ word, description }));
}

function valueCase(path: string, { names, values, isList }: OptionWords): string[] {
  if (values === null) return [];
  const patterns = names.map((name) => quoted(`${path} ${name}`)).join("|");
  return [`    ${patterns}) takes=${isList ? "many" : "one"} values=${quoted(valueText(values))} ;;`];
}

function valueText(values: Values): string {
  switch (values.kind) {
    case "words":
      return values.words.join(" ");
    case "files":
      return "@files";
    case "folders":
      return "@folders";
    case "any":
      return "";
    default:
      return values satisfies never;
  }
}

function print(text: string): string {
  return text === "" ? ":" : `printf '%s' ${quoted(text)}`;
}

/** Text quoted for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** What bash and zsh do with a word before the one to complete: it selects a subcommand, or it is an option or its value. */
export function takeWord(ignored: string): string {
  return `    case "$word" in
      ${ignored}) ;;
      -*)
        option="$word"
        _eval_skills_values "$place" "$option"
        [[ $takes == none ]] && option=""
        ;;
      *)
        if [[ -n $option ]]; then
          [[ $takes == one ]] && option=""
        elif _eval_skills_is_place "\${place:+$place }$word"; then
          place="\${place:+$place }$word"
        fi
        ;;
    esac`;
}
