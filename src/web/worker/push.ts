import type { PushMessage } from '../../features/push/model.ts'
import { readKept } from '../device/kept.ts'
import { closeNotice, inTurn, showNotice, tagOf } from '../device/show-notice.ts'
import { languages } from '../words/languages.ts'
import { noticeWords } from '../words/notices.ts'
import { scope } from './scope.ts'

/** Another version of the server may have sent something else. */
const isPushMessage = (value: unknown): value is PushMessage =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  'user_id' in value &&
  'channel_id' in value &&
  'path' in value &&
  typeof value.path === 'string' &&
  /^\/(?:c\/|app\?event=)/.test(value.path)

/** The words of notices in a language of the pages. */
const noticeWordsIn = (language: string): typeof noticeWords =>
  Object.entries(languages).find(([code]) => code === language)?.[1].notices ?? noticeWords

/** The locale of a code, if it is valid. */
const localeOf = (code: string): string | undefined => (code in languages ? code : undefined)

/** Handles one push after another. */
export const receive = (message: unknown): Promise<void> => inTurn(() => handle(message))

/** Notices that are being shown and may be withdrawn first. The next one waits only briefly for them. */
const showing = new Set<PushMessage>()

/** Shows or withdraws a notice of the server. Ignores it unless its account is logged in. */
async function handle(message: unknown): Promise<void> {
  if (!isPushMessage(message) || (await readKept('account')) !== message.user_id) return
  const { registration } = scope
  const tag = tagOf(message)
  if (message.kind === 'over') {
    for (const other of showing) if (tagOf(other) === tag) showing.delete(other)
    await closeNotice(registration, tag)
  } else {
    showing.add(message)
    const language = String(await readKept('language'))
    await showNotice(registration, message, noticeWordsIn(language), localeOf(language))
    if (!showing.delete(message)) await closeNotice(registration, tag)
  }
  const { length } = await registration.getNotifications()
  await (length > 0 ? navigator.setAppBadge?.(length) : navigator.clearAppBadge?.())
}

/** Opens the place of a notice, in an open window if there is one. */
export async function open(notification: Notification): Promise<void> {
  const path = String(notification.data?.path ?? '/app')
  notification.close()
  const [window] = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (!window) return void (await scope.clients.openWindow(path))
  window.postMessage({ go: path })
  await window.focus()
}

/** Sends the new subscription to the server after the browser has replaced it. */
export async function resubscribe(
  before: PushSubscription | null | undefined,
  next: PushSubscription | null | undefined,
) {
  const applicationServerKey = before?.options.applicationServerKey
  const options = { userVisibleOnly: true, applicationServerKey }
  const subscription =
    next ?? (applicationServerKey ? await scope.registration.pushManager.subscribe(options) : undefined)
  if (!subscription) return
  const headers = { 'content-type': 'application/json' }
  await fetch('/api/push/subscriptions', { method: 'POST', headers, body: JSON.stringify(subscription) })
}
