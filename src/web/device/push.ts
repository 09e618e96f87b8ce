import { call, state } from '../state/session.ts'
import { onDevice } from '../state/stored.ts'

/** The account that has switched push on in this browser. */
const KEY = 'parley.push'

/** The reason why this browser cannot receive push messages; undefined if it can. */
export function hindrance(): 'none' | 'denied' | undefined {
  if (!('PushManager' in window) || !navigator.serviceWorker) return 'none'
  return Notification.permission === 'denied' ? 'denied' : undefined
}

export const isPushOn = (): boolean => onDevice.getItem(KEY) === String(state.me())

/** Asks the person, subscribes at the browser's push service, and registers at the server. @returns true if it is on */
export async function switchPushOn(push_key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await subscribe(push_key)
  onDevice.setItem(KEY, String(state.me()))
  return true
}

export async function switchPushOff(): Promise<void> {
  onDevice.removeItem(KEY)
  const registration = await navigator.serviceWorker.ready
  const subscription = await registration.pushManager.getSubscription()
  await call('DELETE /api/push/subscriptions')
  await subscription?.unsubscribe()
}

/** Hands the subscription over again: this session may be another, and the browser may have replaced it. */
export async function renewPush(): Promise<void> {
  if (!isPushOn() || hindrance() !== undefined || Notification.permission !== 'granted') return
  const { push_key } = await call('GET /.well-known/parley')
  if (push_key !== null) await subscribe(push_key)
}

async function subscribe(push_key: string): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready
  const binary = atob(push_key.replaceAll('-', '+').replaceAll('_', '/'))
  const key = Uint8Array.from(binary, (one) => one.charCodeAt(0))
  const before = await pushManager.getSubscription()
  const previousKey = new Uint8Array(before?.options.applicationServerKey ?? new ArrayBuffer(0))
  const isSame = previousKey.length === key.length && previousKey.every((byte, at) => byte === key[at])
  // The subscription has another key, from before the server was set up anew.
  if (before && !isSame) await before.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: key }
  const subscription = before && isSame ? before : await pushManager.subscribe(options)
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  await call('POST /api/push/subscriptions', {}, { endpoint, keys: { p256dh, auth } })
}
