import { type Block, parse } from './markdown.ts'
import type { Inline } from './pieces.ts'

/** Shown in place of a spoiler. */
const HIDDEN = '▒▒▒'

/** Looks up the name shown for a mention; undefined if unknown. */
interface Names {
  nameOf: (userId: number) => string | undefined
  /** For a role, a channel, everyone or here. */
  tokenNameOf: (token: string) => string | undefined
  timeOf: (seconds: number, style: string) => string
}

/** A message as one line without marks, for quotes, notifications and announcements. Spoilers stay hidden. */
export const plainText = (text: string, names: Names): string =>
  parse(text)
    .map((block) => ofBlock(block, names))
    .join(' ')

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
    case 'table':
      return [block.head, ...block.rows]
        .flat()
        .map((cell) => ofInlines(cell, names))
        .filter((text) => text !== '')
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
      case 'time':
        return names.timeOf(piece.seconds, piece.style)
      case 'emoji':
        return `:${piece.name}:`
      default:
        return ofInlines(piece.inside, names)
    }
  }
  return pieces.map(textOf).join('')
}
