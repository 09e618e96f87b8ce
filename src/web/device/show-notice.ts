import { timeText, withTimes } from '../../core/markup/times.ts'
import type { PushMessage } from '../../features/push/model.ts'
import type { noticeWords } from '../words/notices.ts'

/** Set by the build: paths of pictures. */
declare const ICONS: { icon: string; badge: string }

/**
 * Tag of a notice. A newer one with the same tag replaces it: a channel has one for messages and one for a call, a
 * saved message or an event one for its reminder.
 */
export const tagOf = (about: Pick<PushMessage, 'channel_id' | 'is_call' | 'remind_id' | 'event_id'>): string => {
  const { channel_id, is_call, remind_id, event_id } = about
  if (event_id !== undefined) return `event ${event_id}`
  return remind_id === undefined ? `${is_call ? 'call' : 'place'} ${channel_id}` : `reminder ${remind_id}`
}

/** Vibration pattern of a ringing call, alternating ms on and off. */
const RINGING_MS = Array.from({ length: 19 }, (_, at) => (at % 2 === 0 ? 700 : 500))
/** Time that a notice waits for the one before: its icon may load for minutes if the network hangs. */
const TURN_MS_MAX = 3_000
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs work on notices sequentially: two messages that read their channel's notice at once would be counted as one, and
 * Chromium forgets a notification that is being shown while `getNotifications` runs.
 */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work)
  last = Promise.race([result.catch(() => {}), new Promise((resolve) => setTimeout(resolve, TURN_MS_MAX))])
  return result
}

/** Closes the notices with a tag. */
export async function closeNotice(registration: ServiceWorkerRegistration, tag: string): Promise<void> {
  for (const notice of await registration.getNotifications({ tag })) notice.close()
}

/**
 * Shows a notice, which replaces an earlier one with its tag. A message that is already shown makes no sound.
 * @param locale for times, which the device formats; undefined for the browser's default
 */
export async function showNotice(
  registration: ServiceWorkerRegistration,
  message: PushMessage,
  says: typeof noticeWords,
  locale?: string,
): Promise<void> {
  const { author, place, kind, path, message_id } = message
  const text = withTimes(message.text ?? '', (seconds, style) => timeText(seconds, style, locale))
  const tag = tagOf(message)
  const [previous] = await registration.getNotifications({ tag })
  const isRepeated = message_id !== undefined && previous?.data?.message_id === message_id
  const before = Number(previous?.data?.count ?? 0)
  const count = isRepeated ? before : before + 1
  const line = author === undefined ? says.hidden : text || says.file
  const reminder = author === undefined ? says.reminder : `${says.reminder}: ${line}`
  const more = count > 1 ? says.more({ n: count, text: line }) : line
  const promoted = author === undefined ? says.hidden : says.promoted(author)
  const body = { call: says.call, reminder, event: reminder, promoted, message: more, over: '' }[kind]
  const options = {
    body,
    tag,
    ...ICONS,
    // Chromium plays a sound for a tag that is already shown only with this.
    renotify: !isRepeated,
    silent: isRepeated,
    requireInteraction: kind !== 'message',
    ...(kind === 'call' ? { vibrate: RINGING_MS } : {}),
    data: { path, message_id, count },
  }
  await registration.showNotification(says.title({ author, place }), options)
}
