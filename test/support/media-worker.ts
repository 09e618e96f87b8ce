import { homedir } from 'node:os'
import { join } from 'node:path'
import { readEnvironment } from '../../src/environment.ts'
import { obtainWorker } from '../../src/voice/worker/obtain.ts'

/** Cache of the media worker between runs, because a build takes minutes. */
export const MEDIA_DIR = join(homedir(), '.cache', 'parley-test')
/** The time for the first test of a run that needs the worker: it may have to wait until it is built. */
export const WORKER_MS = 40 * 60_000

let obtained: Promise<string> | undefined

/** Path of the media worker of this machine: obtained once as the server obtains it; test/run.ts begins with that. */
export const mediaWorker = (): Promise<string> =>
  (obtained ??= obtainWorker(readEnvironment({ MEDIA_DIR, MEDIASOUP_WORKER_BIN: process.env.MEDIASOUP_WORKER_BIN }), {
    report: () => undefined,
    signal: AbortSignal.timeout(WORKER_MS),
  }))
