type Cell = string | number | boolean | null | undefined

/** Text as a terminal may have it: a name could otherwise move the cursor, or turn the line around. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (sign) =>
    // Joins emoji.
    sign === '\u200d' ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  )

const shown = (cell: Cell): string => (cell === null || cell === undefined ? '-' : printable(String(cell)))

/** Rows in aligned columns, under their names. */
export function table(rows: Record<string, Cell>[]): string[] {
  const [first] = rows
  if (!first) return []
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => shown(row[name])))]
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** One thing, a line a field. */
export function fields(of: Record<string, Cell>): string[] {
  const width = Math.max(...Object.keys(of).map((name) => name.length))
  return Object.entries(of).map(([name, cell]) => `${name.padEnd(width)}  ${shown(cell)}`)
}

/** JSON for scripts; C1 control characters, which JSON leaves as they are, are escaped too. */
export const json = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
