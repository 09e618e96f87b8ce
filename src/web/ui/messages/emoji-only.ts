import type { Block } from '../../../core/markup.ts'

/** Emoji of a message that are drawn large; a wall of them is not. */
const LARGE_MAX = 27
/** UTF-16 units of text that are looked at: the longest emoji have fewer than 40. */
const LENGTH_MAX = LARGE_MAX * 40

/** Code points after the first picture of an emoji: a tone, letters of a flag, or joined pictures. */
const MORE = String.raw`(?:[\ufe0f\p{EMod}\u{e0020}-\u{e007f}]|\u200d\p{Extended_Pictographic})*`
/** One emoji: a flag, a keycap, or a picture. */
const EMOJI = new RegExp(String.raw`\p{RI}\p{RI}|[\d#*]\ufe0f?\u20e3|\p{Extended_Pictographic}${MORE}`, 'gu')

/** True if a message is only a few emoji, of Unicode or of a server: these are drawn large. */
export function isEmojiOnly(blocks: Block[]): boolean {
  const [first, ...otherBlocks] = blocks
  if (first?.kind !== 'paragraph' || otherBlocks.length > 0) return false
  let emoji = 0
  for (const piece of first.inside) {
    if (piece.kind === 'emoji') emoji++
    else if (piece.kind === 'text' && piece.text.length <= LENGTH_MAX) {
      const remaining = piece.text.replace(EMOJI, () => (emoji++, ''))
      if (remaining.trim() !== '') return false
    } else if (piece.kind !== 'break') return false
  }
  return emoji > 0 && emoji <= LARGE_MAX
}
