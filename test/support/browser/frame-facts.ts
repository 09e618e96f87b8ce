import type { Source, VoiceCall } from '../../../src/web/voice/call.ts'

// Runs in a caller's page: what it knows of its call, and its worker of the frames, for a test that fails.

/** A worker that has not answered after this time, ms, hangs. */
const ANSWER_MS_MAX = 2_000
/** Number of the newest events that a report shows. */
const EVENTS_MAX = 30
const SOURCES: Source[] = ['microphone', 'camera', 'screen', 'screen_audio']

const workers: Worker[] = []

/** Opens a worker that counts its frames. */
export function openCountedWorker(): Worker {
  const worker = new Worker('/frame-worker.js')
  workers.push(worker)
  return worker
}

/** The counts of a worker. */
const countsOf = (worker: Worker): Promise<unknown> =>
  new Promise((resolve) => {
    worker.addEventListener('message', ({ data }) => resolve(data), { once: true })
    worker.postMessage({ kind: 'facts' })
    setTimeout(() => resolve('does not answer: ended, or busy'), ANSWER_MS_MAX)
  })

/** @param seen the events of calls that the page has received */
export async function callFacts(call: VoiceCall | undefined, seen: { t: string; d: unknown }[]) {
  const peers = [...(call?.peers ?? [])].map(([id, peer]) => ({
    id,
    camera: peer.info.camera,
    sharing_screen: peer.info.sharing_screen,
    receives: SOURCES.filter((source) => peer.receiver(source)),
  }))
  return {
    call: call && { id: call.id, state: call.state, route: call.route, reason: call.route_reason, epoch: call.epoch },
    encryption: call && { state: call.sealing.state, isWaiting: call.sealing.isWaiting, doubts: call.sealing.doubts },
    peers,
    frames: await Promise.all(workers.map(countsOf)),
    events: seen.slice(-EVENTS_MAX).map(({ t, d }) => `${t} ${JSON.stringify(d).slice(0, 100)}`),
  }
}
