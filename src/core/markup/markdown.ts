import type { Block, Item } from './blocks.ts'
import { inlines } from './inline.ts'
import { tableAt } from './table.ts'

export type { Block } from './blocks.ts'

/** Nesting of quotes and lists; deeper ones are text. */
const NESTING_MAX = 4
const FENCE = '```'
const LANGUAGE = /^([\w+#.-]{1,20})[ \t]*\n/
const HEADING = /^(#{1,3}) +(\S.*)$/
const QUOTED = /^> ?/
const QUOTED_TO_END = /^>>> /
const ITEM = /^( {0,12})(?:[-*+]|(\d{1,9})[.)]) +(\S.*)$/

/** Parses a message into paragraphs, headings, quotes, lists, tables and code. Takes linear time. */
export function parse(text: string, depth = 0): Block[] {
  const blocks: Block[] = []
  let [from, at] = [0, 0]
  while (at < text.length) {
    // Code inside a quote is parsed with the quote.
    if (text.startsWith('>>> ', at)) break
    const end = endOfLine(text, at)
    const fence = text[at] === '>' ? undefined : fenceIn(text, at, end)
    if (!fence) {
      at = end + 1
      continue
    }
    blocks.push(...parseLines(text.slice(from, fence.open), depth), codeOf(fence.inside))
    at = from = fence.end
    if (text[at] === '\n') at = from = at + 1
  }
  return [...blocks, ...parseLines(text.slice(from), depth)]
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** The first code block that begins in a line: the line has nothing else, or the block spans lines. */
function fenceIn(text: string, start: number, end: number) {
  const line = text.slice(start, end)
  let isLineStart = line.trimStart().startsWith(FENCE)
  for (let open = line.indexOf(FENCE); open >= 0;) {
    const close = text.indexOf(FENCE, start + open + FENCE.length)
    if (close < 0) return undefined
    const inside = text.slice(start + open + FENCE.length, close)
    if (inside.includes('\n') || (isLineStart && inside.trim() !== ''))
      return inside.trim() === '' ? undefined : { open: start + open, inside, end: close + FENCE.length }
    open = line.indexOf(FENCE, close - start + FENCE.length)
    isLineStart = false
  }
  return undefined
}

function codeOf(inside: string): Block {
  const language = LANGUAGE.exec(inside)
  const text = language ? inside.slice(language[0].length) : inside
  return {
    kind: 'code',
    text: text.replace(/^\n/, '').replace(/\n$/, ''),
    language: language?.[1]?.toLowerCase() ?? '',
  }
}

function parseLines(text: string, depth: number): Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  let paragraph: string[] = []
  const endParagraph = () => {
    const whole = paragraph.join('\n').replace(/^\n+/, '').trimEnd()
    if (whole !== '') blocks.push({ kind: 'paragraph', inside: inlines(whole) })
    paragraph = []
  }
  for (let at = 0; at < lines.length;) {
    const result = blockAt(lines, at, depth)
    if (!result) {
      paragraph.push(lines[at++] ?? '')
      continue
    }
    endParagraph()
    blocks.push(result.block)
    at = result.next
  }
  endParagraph()
  return blocks
}

/** The block, other than a paragraph, that begins at a line, and the number of the line after it. */
function blockAt(lines: string[], at: number, depth: number): { block: Block; next: number } | undefined {
  const line = lines[at] ?? ''
  const [, marks, text = ''] = HEADING.exec(line) ?? []
  if (marks) return { block: { kind: 'heading', level: marks.length, inside: inlines(text) }, next: at + 1 }
  if (QUOTED.test(line) && depth < NESTING_MAX) return quoteAt(lines, at, depth)
  return ITEM.test(line) ? listAt(lines, at, 0) : tableAt(lines, at)
}

function quoteAt(lines: string[], at: number, depth: number): { block: Block; next: number } {
  const isToEnd = QUOTED_TO_END.test(lines[at] ?? '')
  let next = isToEnd ? lines.length : at + 1
  while (QUOTED.test(lines[next] ?? '')) next++
  const [first = '', ...rest] = lines.slice(at, next)
  const inside = isToEnd
    ? [first.replace(QUOTED_TO_END, ''), ...rest]
    : [first, ...rest].map((line) => line.replace(QUOTED, ''))
  return { block: { kind: 'quote', inside: parse(inside.join('\n'), depth + 1) }, next }
}

/** The list that begins at a line; lines with more indentation belong to the item above. */
function listAt(lines: string[], at: number, depth: number): { block: Block; next: number } {
  const [, indent = '', number] = ITEM.exec(lines[at] ?? '') ?? []
  const items: Item[] = []
  let next = at
  while (next < lines.length) {
    const [line, far = '', itsNumber, text = ''] = ITEM.exec(lines[next] ?? '') ?? []
    const last = items.at(-1)
    if (line === undefined || far.length < indent.length) break
    if (last && far.length >= indent.length + 2 && depth + 1 < NESTING_MAX) {
      const below = listAt(lines, next, depth + 1)
      last.below.push(below.block)
      next = below.next
      continue
    }
    // Another kind of marker begins another list.
    if ((itsNumber === undefined) !== (number === undefined)) break
    items.push({ inside: inlines(text), below: [] })
    next++
  }
  return { block: { kind: 'list', first: number === undefined ? undefined : Number(number), items }, next }
}
