import { Database, SQLiteError } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unpacked } from '../../core/packed-files.ts'
import { isExecutable } from '../../core/program.ts'
import type { Environment } from '../../environment.ts'
import { buildWorker } from './build.ts'
import type { Errand } from './commands.ts'
import { fetchPrebuilt } from './prebuilt.ts'
import { testWorker } from './self-test.ts'

/** Increase when the same version of mediasoup must be built differently, so that stored workers are replaced. */
const RECIPE = 1
const LOCK_PAUSE_MS = 500
const WORK = 'work-'

type WorkerSettings = Pick<Environment, 'MEDIASOUP_WORKER_BIN' | 'MEDIA_WORKER_URL' | 'MEDIA_DIR' | 'DATA_DIR'>

/**
 * Finds a mediasoup-worker that passes its self-test: the configured one; else the one inside the executable; else the
 * one stored earlier; else upstream's prebuilt one; else one built here. The last two are stored. Source:
 * docs/voice.md.
 * @returns its path
 * @throws Error with one sentence that says why there is none
 */
export async function obtainWorker(settings: WorkerSettings, errand: Errand): Promise<string> {
  const configuredPath = settings.MEDIASOUP_WORKER_BIN
  if (configuredPath !== undefined) {
    errand.report(`testing ${configuredPath}`)
    await testWorker(configuredPath, errand.signal).catch(failWith('MEDIASOUP_WORKER_BIN is not usable'))
    return configuredPath
  }
  const directory = settings.MEDIA_DIR ?? join(settings.DATA_DIR, 'media')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { version } = await import('mediasoup')
  const workerPath = join(directory, `mediasoup-worker-${version}-${process.platform}-${process.arch}-${RECIPE}`)
  const release = await lock(directory, errand)
  try {
    const inside = await insideWorker(directory, errand)
    if (inside !== undefined) return inside
    if (existsSync(workerPath)) {
      errand.report(`testing ${workerPath}`)
      if (await works(workerPath, errand.signal, (why) => errand.report(`what was kept is of no use: ${why}`)))
        return workerPath
      await rm(workerPath)
    }
    await make(settings.MEDIA_WORKER_URL, version, directory, workerPath, errand)
    errand.report(`the media worker is kept as ${workerPath}`)
    return workerPath
  } finally {
    release()
  }
}

const failWith = (attempt: string) => (error: Error) => {
  throw new Error(`${attempt}: ${error.message}`)
}

/** The executable's own worker, if it works. */
async function insideWorker(directory: string, { report, signal }: Errand): Promise<string | undefined> {
  const inside = await unpacked('media', directory)
  if (inside === undefined) return undefined
  const binary = join(inside, 'mediasoup-worker')
  report(`testing ${binary}`)
  const useless = (why: string) => report(`the media worker of this release is of no use here: ${why}`)
  return (await works(binary, signal, useless)) ? binary : undefined
}

const works = (binary: string, signal: AbortSignal, onFailure: (why: string) => void): Promise<boolean> =>
  testWorker(binary, signal).then(
    () => true,
    (error: Error) => {
      // An aborted test says nothing about the worker.
      signal.throwIfAborted()
      onFailure(error.message)
      return false
    },
  )

/** Makes the worker in a temporary directory, and moves it into place once it has passed its test. */
async function make(
  base: string,
  version: string,
  directory: string,
  workerPath: string,
  errand: Errand,
): Promise<void> {
  const { report, signal } = errand
  const work = await mkdtemp(join(directory, WORK))
  const newWorker = join(work, 'mediasoup-worker')
  try {
    report('fetching the prebuilt media worker')
    const useless = (why: string) => report(`no prebuilt media worker is of use: ${why}`)
    const isUsable = await fetchPrebuilt(base, version, newWorker, signal).then(
      () => works(newWorker, signal, useless),
      (error: Error) => useless(error.message),
    )
    signal.throwIfAborted()
    if (!isUsable) {
      if (isExecutable) throw new Error('There is no media worker: it can only be built in a clone (docs/install.md)')
      await rm(newWorker, { force: true })
      const log = join(directory, 'build.log')
      await writeFile(log, '')
      // Node's resolution finds `node/lib/index.js` of the package.
      const sources = join(dirname(fileURLToPath(import.meta.resolve('mediasoup'))), '../../worker')
      await buildWorker(sources, work, newWorker, log, errand)
      report('testing what was built')
      await testWorker(newWorker, signal).catch(failWith('The media worker that was built does not work'))
    }
    await rename(newWorker, workerPath)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/**
 * Waits until no other process obtains a worker in this directory. The lock ends with its process, even if it is
 * killed.
 */
async function lock(directory: string, { report, signal }: Errand): Promise<() => void> {
  const database = new Database(join(directory, 'lock'))
  database.run('pragma busy_timeout = 0')
  for (let wasReported = false; ; wasReported = true) {
    try {
      signal.throwIfAborted()
      database.run('begin exclusive')
      break
    } catch (error) {
      const isBusy = error instanceof SQLiteError && error.code === 'SQLITE_BUSY'
      if (!isBusy) database.close()
      if (!isBusy) throw error
    }
    if (!wasReported) report('waiting for another process that obtains it')
    await Bun.sleep(LOCK_PAUSE_MS)
  }
  // Killed processes leave their directories behind.
  for (const name of await readdir(directory))
    if (name.startsWith(WORK)) await rm(join(directory, name), { recursive: true, force: true })
  return () => database.close()
}
