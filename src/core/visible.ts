/**
 * True if a text has a visible character. Hangul fillers are letters, and U+2800 and U+1D159 symbols, yet all are
 * invisible.
 */
export const isVisible = (text: string): boolean =>
  /[^\s\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u.test(text)

/** Scripts in which joiners and non-joiners between letters change the spelling. */
const JOINED = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Nkoo Java Bali'.replace(
  /\w+ ?/g,
  (script) => String.raw`\p{scx=${script.trim()}}`,
)
/** Tags after the black flag that spell England, Scotland and Wales. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls']
  .map((region) =>
    Array.from(`${region}\x7f`, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join(''),
  )
  .join('|')
/** Invisible characters. The capture group matches those that belong to an emoji or to the letter before them. */
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
 * Removes characters that are invisible or reorder the text around them: bidirectional controls, tags, zero-width
 * characters and fillers. Joiners and variation selectors stay in emoji and in the scripts that need them. Takes
 * linear time.
 */
export const withoutHidden = (text: string): string => text.replace(HIDDEN, (_, visible?: string) => visible ?? '')
