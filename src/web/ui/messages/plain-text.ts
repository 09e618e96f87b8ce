import type { Inline } from './inline.ts'
import { type Block, parse } from './markdown.ts'
import type { TokenNameOf } from '../../state/mentions.ts'

/** Stands in place of a spoiler. */
const HIDDEN = '▒▒▒'

/**
 * A message in one line without marks, for quotes and announcements; spoilers stay hidden.
 * @param nameOf the name of a mentioned account, if it is known
 */
export const plainText = (
  text: string,
  nameOf: (user_id: number) => string | undefined,
  tokenNameOf: TokenNameOf = () => undefined,
): string =>
  parse(text)
    .map((block) => ofBlock(block, { nameOf, tokenNameOf }))
    .join(' ')

interface Names {
  nameOf: (user_id: number) => string | undefined
  tokenNameOf: TokenNameOf
}

function ofBlock(block: Block, names: Names): string {
  switch (block.kind) {
    case 'code':
      return block.text
    case 'quote':
      return block.inside.map((inner) => ofBlock(inner, names)).join(' ')
    case 'list':
      return block.items
        .flatMap(({ inside, below }) => [ofInlines(inside, names), ...below.map((list) => ofBlock(list, names))])
        .join(', ')
    default:
      return ofInlines(block.inside, names)
  }
}

function ofInlines(pieces: Inline[], names: Names): string {
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
        return `@${names.nameOf(piece.user_id) ?? piece.user_id}`
      case 'token':
        return names.tokenNameOf(piece.token) ?? piece.token
      case 'emoji':
        return `:${piece.name}:`
      default:
        return ofInlines(piece.inside, names)
    }
  }
  return pieces.map(textOf).join('')
}
