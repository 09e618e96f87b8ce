import { isVisible } from '../visible.ts'
import { type Block, parse } from './markdown.ts'
import { drawnText, type Inline } from './pieces.ts'

/** Mentions of people, and of roles, that count; further ones are ignored. */
const MENTIONS_MAX = 100
const LINKS_MAX = 5

/** The mentions in a text. SQL decides which ones the author may use. */
export interface Mentions {
  people: number[]
  roles: number[]
  everyone: boolean
  here: boolean
}

/** The lines of blocks, in order; none of code blocks. */
export function* linesOf(blocks: Block[]): Generator<Inline[]> {
  for (const block of blocks) {
    if (block.kind === 'quote') yield* linesOf(block.inside)
    else if (block.kind === 'list')
      for (const { inside, below } of block.items) {
        yield inside
        yield* linesOf(below)
      }
    else if (block.kind === 'table') for (const row of [block.head, ...block.rows]) yield* row
    else if (block.kind !== 'code') yield block.inside
  }
}

function* within(pieces: Inline[]): Generator<Inline> {
  for (const piece of pieces) {
    yield piece
    if ('inside' in piece) yield* within(piece.inside)
  }
}

/** All pieces that the client draws, except code. */
function* drawnPieces(content: string): Generator<Inline> {
  for (const line of linesOf(parse(content))) yield* within(line)
}

/** The mentions `<@42>`, `<@&7>`, `@everyone` and `@here` that the client draws as mentions. */
export function mentionsIn(content: string): Mentions {
  const [people, roles] = [new Set<number>(), new Set<number>()]
  const mentions = { everyone: false, here: false }
  const add = (ids: Set<number>, id: number) => id > 0 && ids.size < MENTIONS_MAX && ids.add(id)
  // Most texts have no @, and skip the parser in a tenth of the time.
  if (content.includes('@'))
    for (const piece of drawnPieces(content))
      if (piece.kind === 'mention') add(people, piece.user_id)
      else if (piece.kind === 'token') {
        if (piece.token.startsWith('<@&')) add(roles, Number(piece.token.slice(3, -1)))
        mentions.everyone ||= piece.token === '@everyone'
        mentions.here ||= piece.token === '@here'
      }
  return { people: [...people], roles: [...roles], ...mentions }
}

/** The distinct web addresses that get previews; not those in code or in `<…>`. */
export function linksIn(content: string): string[] {
  const links = new Set<string>()
  if (!/https?:/i.test(content)) return []
  for (const piece of drawnPieces(content)) {
    if (links.size === LINKS_MAX) break
    if (piece.kind === 'link' && !piece.quiet && /^https?:/i.test(piece.href)) links.add(piece.href)
  }
  return [...links]
}

/** The addresses of all links that the client draws in a text. */
export function hrefsIn(content: string): string[] {
  if (!/https?:/i.test(content)) return []
  return [...drawnPieces(content)].flatMap((piece) => (piece.kind === 'link' ? [piece.href] : []))
}

/** Characters that may be marks, which are not drawn. */
const MARKS = /[\s>*_~|`#[\]()+.-]/g

/** True if the client would draw nothing for a text. */
export function showsNothing(content: string): boolean {
  if (!isVisible(content)) return true
  if (isVisible(content.replace(MARKS, ''))) return false
  return !parse(content).some(isSeen)
}

function isSeen(block: Block): boolean {
  if (block.kind === 'code') return isVisible(block.text)
  if (block.kind === 'quote') return block.inside.some(isSeen)
  return [...linesOf([block])].some((line) => isVisible(drawnText(line)))
}
