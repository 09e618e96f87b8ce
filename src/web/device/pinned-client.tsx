import { signal } from '@preact/signals'
import { call, gateway } from '../state/session.ts'
import { securityWords } from '../words/security.ts'
import { showLater, showNote } from '../ui/kit/dialogs.tsx'
import { hashOf, LIST_PATH, type Pin, type PinAnswer, type PinRequest, readPin } from './pin-record.ts'

/** Time for which a warning is shown, ms. */
const WARNING_MS = 60_000

/** The client that this device keeps; undefined if it keeps none. */
export const pin = signal<Pin | undefined>(undefined)
export const loadPin = async (): Promise<void> => void (pin.value = await readPin())

/** The files that the server has now: the hash that stands for them, and the version that it names. */
export interface Offered {
  hash: string
  version: string
}

export async function offeredNow(): Promise<Offered> {
  const list = await fetch(LIST_PATH, { cache: 'no-store' })
  if (!list.ok) throw new Error(list.statusText)
  const { version } = await call('GET /.well-known/parley')
  return { hash: await hashOf(await list.arrayBuffer()), version }
}

/** Lets the worker keep files, or keep none any more. */
export async function changePin(request: PinRequest): Promise<PinAnswer> {
  const registration = await navigator.serviceWorker.ready
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise<PinAnswer>((resolve) => (port1.onmessage = ({ data }) => resolve(data)))
  registration.active?.postMessage({ pin: request }, [port2])
  const result = await answer
  await loadPin()
  if (result === 'taken') watchPin(registration)
  return result
}

/** Hashes that the person has declined, and the worker of which this page has warned. */
const declined = new Set<string>()

/** Asks the person if the server has other files than those that this device keeps. */
export async function comparePin(): Promise<void> {
  await loadPin()
  const former = pin.value
  if (!former) return
  const offered = await offeredNow()
  if (declined.has(offered.hash)) return
  if (offered.hash !== former.hash) {
    declined.add(offered.hash)
    return showLater(async () => {
      const { ClientQuestion } = await import('../ui/security/client-question.tsx')
      return () => <ClientQuestion former={former} offered={offered} />
    })
  }
  // The browser replaces the worker without asking: that is noticed only here.
  const worker = await fetch('/worker.js', { cache: 'no-store' })
  const isSame = !worker.ok || (await hashOf(await worker.arrayBuffer())) === former.files['worker.js']
  if (!isSame) showNote(securityWords.files.unlisted, WARNING_MS)
}

const compare = (): void => void comparePin().catch(() => {})

let isWatching = false

/** Watches the server's files while the page is open. Call if this device keeps a client. */
export function watchPin(registration: ServiceWorkerRegistration): void {
  if (isWatching) return
  isWatching = true
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (typeof data?.refusedFile === 'string') showNote(securityWords.files.refused, WARNING_MS)
  })
  registration.addEventListener('updatefound', compare)
  gateway.listen(({ t }) => void (t === 'ready' && compare()))
  compare()
}
