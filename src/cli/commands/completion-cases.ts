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
    commands.map((command) => `    ${quoted(command.place)}) ${of(command)} ;;`).join("\n");
  return `_eval_skills_is_place() {
  case "$1" in
    ${commands
      .filter(({ place }) => place !== "")
      .map(({ place }) => quoted(place))
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
${lines(({ options }) => print(list(options.flatMap(namesOf))))}
  esac
}

_eval_skills_values() {
  takes=none values=""
  case "$1 $2" in
${commands.flatMap(({ place, options }) => options.flatMap((option) => valueCase(place, option))).join("\n")}
  esac
}`;
}

/** The subcommands, else what the command's argument can be. */
function wordsAfter({ commands, argument }: CommandWords, list: (words: readonly Word[]) => string): string {
  if (commands.length > 0)
    return list(commands.map(({ name, description }) => ({ word: name, description })));
  return argument === null ? "" : valueText(argument);
}

function namesOf({ names, description }: OptionWords): Word[] {
  return names.map((word) => ({ word, description }));
}

function valueCase(place: string, { names, values, isList }: OptionWords): string[] {
  if (values === null) return [];
  const patterns = names.map((name) => quoted(`${place} ${name}`)).join("|");
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

/** Text that a shell takes as it stands. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** What bash and zsh do with a word before the one to complete: it moves the place, or it is an option or its value. */
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
