import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { truncateSync, writeFileSync } from 'node:fs'

const LOG_BYTES_MAX = 1024 * 1024
const CHECK_MS = 60_000

/** PostgreSQL's stderr: `cluster.log` since the last start, `cluster.log.1` from before. */
export class PostgresLog {
  readonly #timer: Timer

  constructor(private readonly path: string) {
    if (this.#size() > 0) {
      renameSync(path, this.#former)
      this.#keep(this.#former)
    } else rmSync(path, { force: true })
    this.#timer = setInterval(() => this.bound(), CHECK_MS).unref()
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
    writeFileSync(`${this.#former}.new`, end, { mode: 0o600 })
    renameSync(`${this.#former}.new`, this.#former)
  }

  /** Truncates a log that has grown too long: PostgreSQL appends, and continues at the beginning. */
  bound(): void {
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
