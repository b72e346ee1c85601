import { englishStem } from "./english-stem.ts";

/**
 * The terms of a text that say what it is about, each once: stems of words, and pairs of neighbouring characters where no
 * spaces part the words (Chinese, Japanese). No dictionary and no locale, so that every machine finds the same ones, unless
 * such text is divided in another way.
 */
export function contentTerms(text: string, divide: (run: string) => Iterable<string> = pairsIn): Set<string> {
  const terms = new Set<string>();
  for (const [run] of text.normalize("NFKC").toLowerCase().matchAll(runs)) {
    if (!unspaced.test(run)) addWord(run, terms);
    else for (const term of divide(run)) if (!chineseStops.has(term)) terms.add(term);
  }
  return terms;
}

const unspacedScripts = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー";
const unspaced = new RegExp(`^[${unspacedScripts}]`, "u");
/** Either characters of unspaced scripts (with the long-vowel sign, which belongs to none), or letters and digits of any other with apostrophes between them. */
const runs = new RegExp(
  `[${unspacedScripts}]+|(?:(?![${unspacedScripts}])[\\p{L}\\p{M}\\p{N}])+(?:['’](?:(?![${unspacedScripts}])[\\p{L}\\p{M}\\p{N}])+)*`,
  "gu",
);

function pairsIn(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, before) => `${characters[before]}${character}`);
}

function addWord(run: string, terms: Set<string>): void {
  const word = run.replaceAll("’", "'");
  if (!englishStops.has(word) && !englishStops.has(word.replace(/'s$/, ""))) terms.add(cachedStem(word));
}

/** Texts about skills repeat their words, and stemming is most of the work. */
const stems = new Map<string, string>();
const maxStems = 20_000;

function cachedStem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= maxStems) stems.clear();
  const stem = englishStem(word);
  stems.set(word, stem);
  return stem;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that any request may contain, whatever it is about. */
export const englishStops = words(`
a about after again ain't all also am an and any are aren't as at be because been before being below between both but
by can can't cannot could couldn't d did didn't do does doesn't doesnt doing don't dont down during each else few for
from further get got had hadn't has hasn't have haven't having he help her here hers him his how i i'd i'll i'm i've
if im in into is isn't it it's its itself ive just let let's like ll m made make me more most my myself need needs no
nor not now o of off on once one only or other our ours out over own please re s same she should shouldn't so some
something such t than that that's the their theirs them then there these they thing things this those through to too
under until up us use user users uses using ve very want wants was wasn't way we we're were what what's when where
which while who whom why will with without won't would wouldn't you you're your yours`);

export const chineseStops = words(`
的 了 和 是 在 我 你 他 她 它 们 这 那 有 也 就 都 而 及 与 或 个 把 被 对 从 到 为 以 于 之 其 吗 呢 吧 啊 请 帮 要 会 能 可 不 很 上 下 一
我们 你们 他们 她们 它们 这个 那个 这些 那些 一个 一下 一些 什么 怎么 怎样 如何 为什 可以 可能 需要 帮我 帮忙 请帮 请问 想要 我想 我要
是否 有没 没有 以及 或者 并且 但是 因为 所以 如果 用户 使用 时候 进行 现在 今天 给我 把这 这份 这张 一份 一张 里的 中的 我的 你的`);
