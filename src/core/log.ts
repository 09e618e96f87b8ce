const levels = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 } as const

/** The same warning with the same error is written once within this time. */
const REPEAT_MS = 60_000
/** Different warnings that are remembered. */
const REPEATS_MAX = 1_000

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
  const repeats = new Repeats()
  return (level, event, fields) => {
    if (levels[level] < levels[least]) return
    const leftOut = repeats.count(level, event, fields)
    if (leftOut === undefined) return
    process.stdout.write(logLine(level, event, leftOut === 0 ? fields : { ...fields, repeated: leftOut }))
  }
}

/**
 * Counts errors that repeat, so that the log has each once a minute: while the database is away, dozens of jobs fail
 * for the same reason several times a second, perhaps because the disk that has the log is full.
 */
class Repeats {
  readonly #lastWritten = new Map<string, { atMs: number; leftOut: number }>()

  /** @returns the lines like this one that were left out before it; undefined when it is left out too */
  count(...[level, event, fields]: Parameters<Log>): number | undefined {
    // The failure of a request is found by its id.
    if (level !== 'warn' || fields?.stack === undefined || fields.request_id !== undefined) return 0
    const key = `${event} ${String(fields.message)}`
    const last = this.#lastWritten.get(key)
    if (last && performance.now() - last.atMs < REPEAT_MS) {
      last.leftOut++
      return undefined
    }
    if (this.#lastWritten.size >= REPEATS_MAX) this.#lastWritten.clear()
    this.#lastWritten.set(key, { atMs: performance.now(), leftOut: 0 })
    return last?.leftOut ?? 0
  }
}

/** Logs when a component runs out of space, and when it has enough again. */
export const logFullness =
  (log: Log, part: 'database' | 'object_store') =>
  (isFull: boolean, free_bytes: number): void =>
    log('warn', isFull ? 'storage.full' : 'storage.free', { part, free_bytes })

/** The loggable fields of an error. Leaves out the parameters that a driver attaches, which may hold content. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) }
  const code = 'code' in error ? error.code : undefined
  return { error: error.name, code, message: error.message, stack: error.stack }
}
