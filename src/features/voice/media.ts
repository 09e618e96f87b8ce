import { errorFields, type Log } from '../../adapters/log.ts'
import type { Environment } from '../../environment.ts'
import { obtainWorker } from './worker/obtain.ts'

/** The SFU of this server: there once a worker has been obtained, in the background. */
export function openMedia(environment: Environment, log: Log) {
  let state = environment.MEDIA_WORKER === 'off' ? 'off' : 'building'
  const stopping = new AbortController()

  async function obtain(): Promise<void> {
    // The line that says where the server listens comes first.
    await Bun.sleep(0)
    const report = (step: string) => log('info', 'media.step', { step })
    const binary = await obtainWorker(environment, { report, signal: stopping.signal })
    state = 'ready'
    log('info', 'media.ready', { binary })
  }

  let started: Promise<void> | undefined
  return {
    /** `off`, `building`, `ready`, or in one sentence why there is no SFU. */
    state: () => state,
    /** Begins, in the background. */
    start() {
      if (state === 'off') return
      started = obtain().catch((error: Error) => {
        if (stopping.signal.aborted) return
        state = error.message
        log('warn', 'media.unavailable', errorFields(error))
      })
    },
    async stop() {
      stopping.abort(new Error('The server stops'))
      await started
    },
  }
}

export type Media = ReturnType<typeof openMedia>
