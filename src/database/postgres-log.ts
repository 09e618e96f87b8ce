import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { truncateSync, writeFileSync } from 'node:fs'
import { isDiskFull } from '../core/errors.ts'

const LOG_BYTES_MAX = 1024 * 1024
const CHECK_MS = 60_000
/** The end of the log in which the last fault is looked for. */
const FAULT_BYTES_MAX = 16 * 1024

/** PostgreSQL's stderr: `cluster.log` since the last start, `cluster.log.1` from before. */
export class PostgresLog {
  readonly #timer: Timer

  constructor(private readonly path: string) {
    if (this.#size() > 0) {
      renameSync(path, this.#former)
      this.#keep(this.#former)
    } else rmSync(path, { force: true })
    this.#timer = setInterval(() => this.truncateIfLong(), CHECK_MS).unref()
  }

  get #former(): string {
    return `${this.path}.1`
  }

  /** Size of the log; 0 if it is no regular file. */
  #size(): number {
    const stat = lstatSync(this.path, { throwIfNoEntry: false })
    return stat?.isFile() ? stat.size : 0
  }

  /** Saves the last LOG_BYTES_MAX bytes of a file as `cluster.log.1`. */
  #keep(path: string): void {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    const { size } = fstatSync(file)
    const end = Buffer.alloc(Math.min(size, LOG_BYTES_MAX))
    readSync(file, end, 0, end.length, size - end.length)
    closeSync(file)
    if (path === this.#former && size === end.length) return
    try {
      writeFileSync(`${this.#former}.new`, end, { mode: 0o600 })
      renameSync(`${this.#former}.new`, this.#former)
    } catch (error) {
      if (!isDiskFull(error)) throw error
      // The server serves without it.
      rmSync(`${this.#former}.new`, { force: true })
    }
  }

  /** The last fatal error that PostgreSQL wrote, except those that only say that it starts or stops. */
  lastFault(): string | undefined {
    const file = this.#size() > 0 ? openSync(this.path, constants.O_RDONLY | constants.O_NOFOLLOW) : undefined
    if (file === undefined) return undefined
    const end = Buffer.alloc(FAULT_BYTES_MAX)
    const length = readSync(file, end, 0, end.length, Math.max(0, this.#size() - end.length))
    closeSync(file)
    const lines = end.toString('utf8', 0, length).split('\n')
    return lines.map((line) => /(?:FATAL|PANIC): {2}(?!the database system )(.*)/.exec(line)?.[1]).findLast(Boolean)
  }

  /** Truncates a log that has grown too long: PostgreSQL appends, and continues at the beginning. */
  truncateIfLong(): void {
    if (this.#size() <= LOG_BYTES_MAX) return
    this.#keep(this.path)
    truncateSync(this.path)
  }

  /** A file descriptor for a process's stderr. */
  open(): number {
    const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants
    return openSync(this.path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
