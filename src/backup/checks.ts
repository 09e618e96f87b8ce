import { readdirSync, statSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment } from '../core/built-program.ts'
import { errorFields, type Log } from '../core/log.ts'
import { periodMs } from '../core/periods.ts'
import { isExecutable, programFile } from '../core/program.ts'
import { type DatabaseAddress, openLongConnection, type Sql } from '../database/database.ts'
import { tryLockJob } from '../database/job-lock.ts'
import type { Environment } from '../environment.ts'
import { backupDirectory } from './files.ts'
import { recordCheck } from './record.ts'
import { demandSpace } from './space.ts'

const CHECK_MS = 60_000
/** Delay after a check that could not take place. */
const RETRY_MS = 3_600_000
/** The beginning of what the program says that is read. */
const OUTPUT_BYTES_MAX = 16 * 1024
const PROBLEM_LENGTH_MAX = 1000
const BACKUP = /^parley-(manual|automatic)-.*\.tar\.zst(\.sealed)?$/
/** The beginnings of what the program says if it was interrupted or lacked something. Source: src/cli/command.ts */
const UNCHECKED = /^(?:Interrupted|There is no space left|The database connection was lost|The object store does not)/
/** Niceness of the program: the server goes first. */
const NICE = 10

/**
 * Tries the newest backup in BACKUP_DIR every VERIFY_EVERY, on one node, by the command `verify` in another process: it
 * restores the backup into a scratch directory and starts a server on it.
 */
export class BackupChecks {
  private readonly timer: Timer | undefined
  private readonly stopController = new AbortController()
  private readonly periodMs: number
  private retryAt = 0
  private running: Promise<void> | undefined

  constructor(
    private readonly environment: Environment,
    private readonly address: DatabaseAddress,
    private readonly log: Log,
  ) {
    this.periodMs = periodMs(environment.VERIFY_EVERY)
    if (this.periodMs < Infinity) this.timer = setInterval(() => void this.run(), CHECK_MS)
  }

  /** Checks the newest backup if a check is due; a concurrent caller waits for the running one. */
  run(): Promise<void> {
    return (this.running ??= this.runOnce()
      .catch((error: unknown) => {
        if (this.stopController.signal.aborted) return
        this.retryAt = Date.now() + RETRY_MS
        this.log('error', 'backup.unchecked', errorFields(error))
      })
      .finally(() => (this.running = undefined)))
  }

  /** Cancels a running check. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    this.stopController.abort()
    await this.running
  }

  private async runOnce(): Promise<void> {
    if (this.periodMs === Infinity || Date.now() < this.retryAt) return
    const directory = backupDirectory(this.environment)
    const file = newestIn(directory)
    if (file === undefined) return
    const sql = openLongConnection(this.address, 'parley-check-lock')
    const connection = await sql.reserve()
    try {
      if ((await this.isDue(connection)) && (await tryLockJob(connection, 'verify')))
        await this.check(connection, directory, file)
    } finally {
      await sql.end({ timeout: 1 })
    }
  }

  private async isDue(connection: Sql): Promise<boolean> {
    const [row] = await connection<{ due: boolean }[]>`select not exists (select from backup_checks
      where at > now() - ${this.periodMs / 1000} * interval '1 second') as due`
    return row?.due === true
  }

  private async check(connection: Sql, directory: string, file: string): Promise<void> {
    await demandSpace(connection, tmpdir(), this.environment.S3_ENDPOINT === undefined)
    const began = Date.now()
    const problem = await this.verify(join(directory, file))
    if (this.stopController.signal.aborted) return
    await recordCheck(connection, { file, problem })
    if (problem === null) this.log('info', 'backup.verified', { file, ms: Date.now() - began })
    else this.log('error', 'backup.damaged', { file, message: problem })
  }

  /**
   * Runs the command.
   * @returns why the backup is not intact; null if it is
   * @throws Error if the command could not find out
   */
  private async verify(path: string): Promise<string | null> {
    const { BACKUP_PASSPHRASE_FILE } = this.environment
    const program = isExecutable ? [process.execPath] : [process.execPath, programFile('src/main.ts')]
    const child = Bun.spawn([...program, 'verify', path], {
      env: childEnvironment({
        TMPDIR: tmpdir(),
        ...(BACKUP_PASSPHRASE_FILE === undefined ? {} : { BACKUP_PASSPHRASE_FILE }),
      }),
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      signal: this.stopController.signal,
      killSignal: 'SIGTERM',
    })
    setPriority(child.pid, NICE)
    const [output, code] = await Promise.all([endOf(child.stderr), child.exited])
    if (code === 0) return null
    const sentence = output.trim().split('\n').at(-1)?.slice(0, PROBLEM_LENGTH_MAX)
    // Nothing of that is a fault of the backup.
    if (child.signalCode !== null || code !== 1 || !sentence || UNCHECKED.test(sentence))
      throw new Error(sentence || `verify ended with ${child.signalCode ?? code}`)
    return sentence
  }
}

/** The end of a program's output. */
async function endOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  let end = ''
  for await (const text of stream.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>)
    end = (end + text).slice(-OUTPUT_BYTES_MAX)
  return end
}

/** The backup that was written last; one before an upgrade has no uploaded files. */
function newestIn(directory: string): string | undefined {
  const files = readdirSync(directory).filter((name) => BACKUP.test(name))
  const writtenAt = (name: string) => statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return files.sort((a, b) => writtenAt(a) - writtenAt(b)).at(-1)
}
