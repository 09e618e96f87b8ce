import { signal } from '@preact/signals'
import { call } from '../state/session.ts'
import { hashOf, LIST_PATH, type Pin, type PinAnswer, type PinRequest, readPin } from './pin-record.ts'

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

/** Makes the worker keep a client's files, or stop keeping any. */
export async function changePin(request: PinRequest): Promise<PinAnswer> {
  const registration = await navigator.serviceWorker.ready
  // The browser has to load the accepted client's worker first: `watch-pin` warns of any that comes later.
  if (request.kind === 'take') await newestWorker(registration).catch(() => {})
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise<PinAnswer>((resolve) => (port1.onmessage = ({ data }) => resolve(data)))
  registration.active?.postMessage({ pin: request }, [port2])
  const result = await answer
  await loadPin()
  return result
}

/** Time to wait for the new worker, ms. The former one ends after its requests, which may hang with the network. */
const NEWEST_WORKER_MS_MAX = 5_000

/** Lets the browser look for another worker, and waits until that one is active, but not for long. */
async function newestWorker(registration: ServiceWorkerRegistration): Promise<void> {
  await registration.update()
  const next = registration.installing ?? registration.waiting
  if (!next) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => {
    if (next.state === 'activated' || next.state === 'redundant') resolve()
  }
  next.addEventListener('statechange', look)
  look()
  const timer = setTimeout(resolve, NEWEST_WORKER_MS_MAX)
  await promise
  clearTimeout(timer)
}
