/** Whether a text shows anything. Fillers of Hangul are letters, and U+2800 and U+1D159 symbols, that nobody sees. */
export const isVisible = (text: string): boolean =>
  /[^\s\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u.test(text)

/** Scripts in which a joiner or non-joiner between letters changes how a word is written. */
const JOINED = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Nkoo Java Bali'.replace(
  /\w+ ?/g,
  (script) => String.raw`\p{scx=${script.trim()}}`,
)
/** What follows a black flag in those of England, Scotland and Wales: tags, which spell a region. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls']
  .map((region) =>
    Array.from(`${region}\x7f`, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join(''),
  )
  .join('|')
/** Characters that show nothing; those in the group are part of an emoji, or of a letter before them. */
const HIDDEN = new RegExp(
  [
    String.raw`((?<=\u{1f3f4})(?:${FLAGS})`,
    String.raw`(?<=[\p{ExtPict}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{ExtPict})`,
    String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
    String.raw`(?<=\p{scx=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=\p{scx=Mong})[\u180b-\u180d\u180f]`,
    String.raw`(?<=[${JOINED}])(?:\u200c(?=[${JOINED}])|\u200d))`,
    String.raw`[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`,
  ].join('|'),
  'gu',
)

/**
 * Removes what shows nothing or reorders the text beside it: bidirectional controls, tags, zero-width characters and
 * fillers. Joiners and variation selectors stay within emoji and in the scripts that need them. Takes linear time.
 */
export const withoutHidden = (text: string): string => text.replace(HIDDEN, (_, kept?: string) => kept ?? '')
