import type { Events } from '../../core/events.ts'
import type { Channel } from '../../features/access/model.ts'
import { isQuiet } from '../../core/quiet-hours.ts'
import type { EventFrame } from '../client/gateway.ts'
import { insideOf } from '../state/listed-servers.ts'
import { momentOf } from '../state/format.ts'
import { nameOf, titleOf, withoutBidi } from '../state/names.ts'
import { levelAround, mutingIn } from '../state/notifications.ts'
import { call, loader, state } from '../state/session.ts'
import { callsMe, isOfOther } from '../state/unread.ts'
import { isPageActive } from '../ui/messages/attention.ts'
import { plainLine, sayingOf } from '../state/plain-line.ts'
import { deviceSettings } from './device-settings.ts'
import { channelHere } from './focus.ts'
import { isLookedAtElsewhere } from './other-tabs.ts'
import { isPushOn } from './push.ts'
import { closeNotice, inTurn, showNotice, tagOf } from './show-notice.ts'
import { chime } from '../sound/chime.ts'
import { showNote } from '../ui/kit/dialogs.tsx'
import { words } from '../words/words.ts'
import { noticeWords } from '../words/notices.ts'
import type { PushMessage, PushSettings } from '../../features/push/model.ts'
import { serverNow } from '../state/server-clock.ts'

const TEXT_MAX = 240
const [PITCH, SECONDS, GAIN] = [880, 0.18, 0.08]
const HELD_MS = 500
const EVENT_NOTE_MS = 15_000

type Said = Events['message.created']

/** The account's settings for all its devices, fetched with the first notice. */
let settings: Promise<PushSettings | undefined> | undefined
/** Fetches the settings again with the next notice. */
export const forgetSettings = (): void => void (settings = undefined)

/**
 * Shows a desktop notice and plays a sound for a new message outside the active channel, by the device's settings, and
 * removes the notice once its channel is read on any device.
 */
export function listenForMessages(frame: EventFrame): void {
  const { t, d } = frame
  // Settings, roles and names of a server that is not open are missing.
  const listed = t === 'message.created' ? insideOf(state, frame) : undefined
  if (listed)
    return void loader.openServer(listed.id).then(() => state.listed.has(listed.id) || listenForMessages(frame))
  if (t === 'saved.updated') return void remind(d).catch(() => {})
  if (t === 'saved.removed') return void endReminder(d.message_id).catch(() => {})
  if (t === 'event.signup' && d.promoted.length > 0) return void tellOfPlace(d).catch(() => {})
  if (t === 'event.reminder') return void remindOfEvent(d).catch(() => {})
  if (t === 'channel.read') return void takeBack(d.channel_id).catch(() => {})
  if (t !== 'message.created' || !state.isSynced || !isWanted(d)) return
  if (isPageActive() && channelHere() === d.channel_id) return
  void tell(d)
}

/** The reminders that this page has announced, by message. */
const announcedReminders = new Map<number, string | null>()

/**
 * Announces a reminder once, when it becomes due; the inbox shows it until it is dealt with. Without push, a desktop
 * notice says that there is one.
 */
async function remind({ message_id, channel_id, remind_at, due }: Events['saved.updated']): Promise<void> {
  if (!due) return endReminder(message_id)
  if (!state.isSynced || announcedReminders.get(message_id) === remind_at) return
  announcedReminders.set(message_id, remind_at)
  showNote(words.inbox.reminder)
  if (isUndisturbed() || isQuiet((await ownSettings())?.quiet_hours ?? null, serverNow())) return
  const { desktop, sound } = deviceSettings.value
  const registration = await navigator.serviceWorker?.getRegistration()
  if (desktop && registration && globalThis.Notification?.permission === 'granted' && !isPushOn()) {
    const place = { user_id: state.me(), channel_id, is_call: false, path: `/c/${channel_id}/${message_id}` }
    const notice: PushMessage = { kind: 'reminder', ...place, message_id, remind_id: message_id }
    await inTurn(() => showNotice(registration, notice, noticeWords))
  }
  if (sound) await inOneTab(beep)
}

/** Says that an event is about to begin, once for each of the times that the account chose. */
async function remindOfEvent({ event_id, n, starts_at }: Events['event.reminder']): Promise<void> {
  if (!state.isSynced || Date.parse(starts_at) < serverNow()) return
  const { title } = await call('GET /api/events/:event_id', { event_id })
  showNote(noticeWords.event({ title, time: momentOf(starts_at) }), EVENT_NOTE_MS)
  if (isUndisturbed() || isQuiet((await ownSettings())?.quiet_hours ?? null, serverNow())) return
  const { desktop, sound } = deviceSettings.value
  const registration = await navigator.serviceWorker?.getRegistration()
  if (desktop && registration && globalThis.Notification?.permission === 'granted' && !isPushOn()) {
    const place = { user_id: state.me(), channel_id: 0, is_call: false, path: `/app?event=${event_id}&date=${n}` }
    const notice: PushMessage = { kind: 'event', ...place, event_id, author: title, text: momentOf(starts_at) }
    await inTurn(() => showNotice(registration, notice, noticeWords))
  }
  if (sound) await inOneTab(beep)
}

/** Says that a place became free, while the account waited for one. */
async function tellOfPlace({ event_id }: Events['event.signup']): Promise<void> {
  if (!state.isSynced) return
  const { title } = await call('GET /api/events/:event_id', { event_id })
  showNote(noticeWords.promoted(title), EVENT_NOTE_MS)
}

async function endReminder(remind_id: number): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  const tag = tagOf({ channel_id: 0, is_call: false, remind_id })
  if (registration) await inTurn(() => closeNotice(registration, tag))
}

/** True if a message begins a post of a forum whose new posts the account wants to hear of. */
const isNewPost = ({ first_message_id, parent_id }: Channel, { id }: Said): boolean =>
  first_message_id === id && state.settings.get(`c${parent_id}`)?.level === 'all_posts'

const isUndisturbed = (): boolean => state.ownStatus?.status === 'dnd'

function isWanted(message: Said): boolean {
  if (isUndisturbed()) return false
  const channel = state.channels.get(message.channel_id)
  if (message.data?.silent) return false
  if (!channel || !isOfOther(state, message)) return false
  const ownLevel = state.settings.get(`c${channel.id}`)?.level
  if (isNewPost(channel, message)) return ownLevel !== 'nothing' && !mutingIn(state, channel).muted
  if (!state.isUnread(channel)) return false
  const level = ownLevel ?? levelAround(state, channel, channel.server_id)
  if (level === 'nothing') return false
  // An invisible account is not here.
  const isHere = state.ownStatus?.status !== 'invisible'
  return (
    callsMe(state, isHere ? message : { ...message, mention_here: false }) ||
    (level === 'all' && !mutingIn(state, channel).muted)
  )
}

async function takeBack(channel_id: number): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  const channel = state.channels.get(channel_id)
  if (!registration || !channel) return
  // More messages may have arrived meanwhile.
  await inTurn(async () => {
    if (!state.isUnread(channel)) await closeNotice(registration, tagOf({ channel_id, is_call: false }))
  })
}

const ownSettings = () => (settings ??= call('GET /api/push/settings').catch(() => (settings = undefined)))

async function tell(message: Said): Promise<void> {
  const { desktop, sound } = deviceSettings.value
  if (!desktop && !sound) return
  const settings = await ownSettings()
  if (isQuiet(settings?.quiet_hours ?? null, serverNow())) return
  if (isLookedAtElsewhere(message.channel_id)) return
  if (desktop && globalThis.Notification?.permission === 'granted') await show(message, settings?.hide_content === true)
  if (sound) await inOneTab(beep)
}

/**
 * Shows a desktop notice for a ringing call while no page of this browser is active, unless push does that or the
 * account does not want to be disturbed.
 * @returns a function that removes the notice
 */
export async function tellOfCall(channel_id: number, by: number): Promise<() => void> {
  const nothing = () => {}
  const isAllowed = globalThis.Notification?.permission === 'granted'
  if (state.silentRings.has(channel_id)) return nothing
  if (!deviceSettings.value.desktop || !isAllowed || isPushOn() || isPageActive()) return nothing
  if (isLookedAtElsewhere()) return nothing
  const settings = await ownSettings()
  const registration = await navigator.serviceWorker?.ready
  const channel = state.channels.get(channel_id)
  if (!registration || !channel || isQuiet(settings?.quiet_hours ?? null, serverNow())) return nothing
  const call: PushMessage = {
    kind: 'call',
    user_id: state.me(),
    channel_id,
    is_call: true,
    path: `/c/${channel_id}`,
    ...(settings?.hide_content ? {} : { author: withoutBidi(nameOf(by)) }),
    ...(settings?.hide_content || channel.type === 'dm' ? {} : { place: titleOf(channel) }),
  }
  await inTurn(() => showNotice(registration, call, noticeWords))
  return () => void inTurn(() => closeNotice(registration, tagOf(call))).catch(nothing)
}

async function show(message: Said, isHidden: boolean): Promise<void> {
  const registration = await navigator.serviceWorker?.ready
  const channel = state.channels.get(message.channel_id)
  if (!registration || !channel) return
  const text = plainLine(sayingOf(message)).slice(0, TEXT_MAX)
  const content = { author: withoutBidi(nameOf(message.author.id)), text }
  const notice: PushMessage = {
    kind: 'message',
    user_id: state.me(),
    channel_id: message.channel_id,
    message_id: message.id,
    is_call: false,
    path: `/c/${message.channel_id}/${message.id}`,
    ...(isHidden ? {} : content),
    ...(isHidden || channel.type === 'dm' ? {} : { place: titleOf(channel) }),
  }
  await inTurn(async () => {
    // The message may have been read meanwhile, on any device, also while the icon was loaded; and more may have
    // arrived.
    if (state.isUnread(channel) && message.id > state.readUntil(channel.id))
      await showNotice(registration, notice, noticeWords)
    if (!state.isUnread(channel)) await closeNotice(registration, tagOf(notice))
  })
}

/** Only one of several open pages shows the notice. */
async function inOneTab(work: () => void): Promise<void> {
  const locks: LockManager | undefined = navigator.locks
  if (!locks) return work()
  await locks.request('parley.notice', { ifAvailable: true }, async (lock) => {
    if (!lock) return
    work()
    await new Promise((resolve) => setTimeout(resolve, HELD_MS))
  })
}

const beep = () => void chime([[PITCH, 0]], SECONDS, GAIN)
