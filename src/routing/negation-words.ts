/** Words that take back what follows them. `do not` and `does not` are `not` with something before it. */
export const negators = {
  unspaced: ["不需要", "不要", "不用", "无需", "不必", "不想", "不打算", "不是", "禁止", "别", "勿"],
  spaced: ["don't", "doesn't", "never", "without", "avoid", "skip", "not", "no", "instead of", "rather than"],
};

/** Words in which a negator stands and takes nothing back. */
export const notNegators = {
  unspaced: [
    ...["别忘", "别漏", "不要忘", "不要漏", "不仅", "不只"],
    ...["特别", "类别", "分别", "识别", "级别", "个别", "区别", "性别", "别的", "别人"],
    // Questions whether, not refusals.
    ...["是不是", "要不要", "用不用", "想不想"],
  ],
  spaced: ["don't forget", "do not forget", "not only", "not just", "why not", "no problem"],
};

/** What begins a new clause, which a negator before it says nothing about. A full stop does before a blank only. */
export const clauseEnds = {
  marks: [",", ";", "!", "?", "，", "。", "；", "！", "？", "\n"],
  unspaced: ["但", "但是", "而是", "只要", "改为"],
  spaced: ["but", "instead", "rather"],
};

/** How far a negator reaches. */
export const reach = { unspacedCharacters: 10, spacedWords: 5 };
