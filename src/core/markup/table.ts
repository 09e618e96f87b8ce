import { inlines } from './inline.ts'
import type { Block, Side } from './blocks.ts'

const COLUMNS_MAX = 20
/** Rows of one table, with its head; further lines are text. */
const ROWS_MAX = 100
/** The line below the head: dashes for each column, with colons for the sides. */
const DIVIDER = /^ {0,3}\|?(?: *:?-+:? *\|)* *:?-+:?(?: *\|)?\s*$/

/** The cells of a line. A backslash keeps the mark after it from ending a cell. */
function cellsOf(line: string): string[] {
  const text = line.trim().replace(/^\|/, '')
  const cells: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '|') {
      cells.push(text.slice(from, at))
      from = at + 1
    }
  }
  if (text.slice(from).trim() !== '') cells.push(text.slice(from))
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function sideOf(dashes: string): Side | undefined {
  if (dashes.endsWith(':')) return dashes.startsWith(':') ? 'center' : 'right'
  return dashes.startsWith(':') ? 'left' : undefined
}

/** The table whose head is a line, and the number of the line after it: cells between bars, above a line of dashes. */
export function tableAt(lines: string[], at: number): { block: Block; next: number } | undefined {
  const [first = '', divider = ''] = lines.slice(at, at + 2)
  if (!first.includes('|') || !divider.includes('|') || !DIVIDER.test(divider)) return undefined
  const [head, dashes] = [cellsOf(first), cellsOf(divider)]
  if (head.length === 0 || head.length !== dashes.length || head.length > COLUMNS_MAX) return undefined
  const rows: string[][] = []
  let next = at + 2
  while (rows.length + 1 < ROWS_MAX && (lines[next] ?? '').includes('|')) rows.push(cellsOf(lines[next++] ?? ''))
  const drawn = (cells: string[]) => head.map((_, column) => inlines(cells[column] ?? ''))
  return { block: { kind: 'table', sides: dashes.map(sideOf), head: drawn(head), rows: rows.map(drawn) }, next }
}
