const levels = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 } as const

export type Level = Exclude<keyof typeof levels, 'silent'>

/** Writes a line of JSON to stdout. Never pass a token, password, content, e-mail address or a URL's query. */
export type Log = (level: Level, event: string, fields?: Record<string, unknown>) => void

/** One line of the log. */
const logLine: (...line: Parameters<Log>) => string = (level, event, fields) =>
  `${JSON.stringify({ at: new Date().toISOString(), level, event, ...fields })}\n`

/**
 * Prints a start-up message whatever LOG_LEVEL says: plain text on a terminal, otherwise a JSON line like the log's.
 */
export function announce(
  to: NodeJS.WriteStream,
  level: Level,
  event: string,
  fields: { message: string; [field: string]: unknown },
) {
  to.write(to.isTTY ? `${fields.message}\n` : logLine(level, event, fields))
}

/** @param least the lowest severity to write */
export function openLog(least: keyof typeof levels): Log {
  return (level, event, fields) => {
    if (levels[level] < levels[least]) return
    process.stdout.write(logLine(level, event, fields))
  }
}

/** Logs when a component runs out of space, and when it has enough again. */
export const logFullness =
  (log: Log, part: 'database' | 'object_store') =>
  (full: boolean, free_bytes: number): void =>
    log('warn', full ? 'storage.full' : 'storage.free', { part, free_bytes })

/** The loggable fields of an error. Leaves out the parameters that a driver attaches, which may hold content. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) }
  const code = 'code' in error ? error.code : undefined
  return { error: error.name, code, message: error.message, stack: error.stack }
}
