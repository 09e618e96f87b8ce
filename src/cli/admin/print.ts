type Cell = string | number | boolean | null | undefined

/** Escapes text for a terminal: names could contain characters that move the cursor or reverse the line. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (sign) =>
    // The zero-width joiner is part of emoji.
    sign === '\u200d' ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  )

const cellText = (cell: Cell): string => (cell === null || cell === undefined ? '-' : printable(String(cell)))

/** Rows as lines of aligned columns, below the columns' names. */
export function table(rows: Record<string, Cell>[]): string[] {
  const [first] = rows
  if (!first) return []
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => cellText(row[name])))]
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** The fields of an object, one per line. */
export function fields(values: Record<string, Cell>): string[] {
  const width = Math.max(...Object.keys(values).map((name) => name.length))
  return Object.entries(values).map(([name, cell]) => `${name.padEnd(width)}  ${cellText(cell)}`)
}

/** JSON for scripts. Unlike JSON.stringify, escapes DEL and C1 control characters. */
export const json = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
