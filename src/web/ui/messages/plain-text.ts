import type { Inline } from './inline.ts'
import { type Block, parse } from './markdown.ts'

/** Stands in place of a spoiler. */
const HIDDEN = '▒▒▒'

/**
 * A message in one line without marks, for quotes and announcements; spoilers stay hidden.
 * @param nameOf the name of a mentioned account, if it is known
 */
export const plainText = (text: string, nameOf: (user_id: number) => string | undefined): string =>
  parse(text)
    .map((block) => ofBlock(block, nameOf))
    .join(' ')

function ofBlock(block: Block, nameOf: (user_id: number) => string | undefined): string {
  switch (block.kind) {
    case 'code':
      return block.text
    case 'quote':
      return block.inside.map((inner) => ofBlock(inner, nameOf)).join(' ')
    case 'list':
      return block.items
        .flatMap(({ inside, below }) => [ofInlines(inside, nameOf), ...below.map((list) => ofBlock(list, nameOf))])
        .join(', ')
    default:
      return ofInlines(block.inside, nameOf)
  }
}

function ofInlines(pieces: Inline[], nameOf: (user_id: number) => string | undefined): string {
  const textOf = (piece: Inline): string => {
    switch (piece.kind) {
      case 'text':
      case 'code':
        return piece.text
      case 'break':
        return ' '
      case 'spoiler':
        return HIDDEN
      case 'mention':
        return `@${nameOf(piece.user_id) ?? piece.user_id}`
      case 'emoji':
        return `:${piece.name}:`
      default:
        return ofInlines(piece.inside, nameOf)
    }
  }
  return pieces.map(textOf).join('')
}
