import { timeText, withTimes } from '../../core/markup/times.ts'
import type { PushMessage } from '../../features/push/model.ts'
import type { noticeWords } from '../words/notices.ts'

/** Set by the build: paths of pictures. */
declare const ICONS: { icon: string; badge: string }

/** Tag of a notice. A newer one with the same tag replaces it: a channel has one for messages and one for a call. */
export const tagOf = ({ channel_id, is_call }: Pick<PushMessage, 'channel_id' | 'is_call'>): string =>
  `${is_call ? 'call' : 'place'} ${channel_id}`

/** Vibration pattern of a ringing call, alternating ms on and off. */
const RINGING_MS = Array.from({ length: 19 }, (_, at) => (at % 2 === 0 ? 700 : 500))
/** A notice is shown once its icon is loaded, which may take minutes where the network hangs: the next one goes on. */
const TURN_MS_MAX = 3_000
let last: Promise<unknown> = Promise.resolve()

/**
 * Does what reads or shows notices after all that was begun before: two messages of a place that read its notice at
 * once would count themselves as one, and Chromium forgets a notification that is being shown while `getNotifications`
 * runs.
 */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work)
  last = Promise.race([done.catch(() => {}), new Promise((resolve) => setTimeout(resolve, TURN_MS_MAX))])
  return done
}

/** Takes back what is shown of a place. */
export async function closeNotice(registration: ServiceWorkerRegistration, tag: string): Promise<void> {
  for (const shown of await registration.getNotifications({ tag })) shown.close()
}

/**
 * Shows a notice in place of an earlier one of its place; a message that is shown already makes no sound.
 * @param locale for moments that the server left for the device to write; undefined: the browser's own
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
  const [earlier] = await registration.getNotifications({ tag })
  const isRepeated = message_id !== undefined && earlier?.data?.message_id === message_id
  const before = Number(earlier?.data?.count ?? 0)
  const count = isRepeated ? before : before + 1
  const said = author === undefined ? says.hidden : text || says.file
  const body = kind === 'call' ? says.call : count > 1 ? says.more(count, said) : said
  const options = {
    body,
    tag,
    ...ICONS,
    // Chromium sounds again for a tag that is shown only then.
    renotify: !isRepeated,
    silent: isRepeated,
    requireInteraction: kind === 'call',
    ...(kind === 'call' ? { vibrate: RINGING_MS } : {}),
    data: { path, message_id, count },
  }
  await registration.showNotification(says.title(author, place), options)
}
