import { type Signal, signal } from '@preact/signals'
import type { Events } from '../../core/events.ts'
import type { FullUser } from '../../features/accounts/model.ts'
import { openClient } from '../client/client.ts'
import { ApiError } from '../client/rest.ts'
import type { ConnectionState } from '../client/gateway.ts'
import type { Draft, SentMessage } from '../client/outbox.ts'
import type { ChannelPlace } from './place.ts'
import type { Part } from './event-handlers.ts'
import { leavePage } from './leave-page.ts'
import { rememberReturnPath, route } from './route.ts'
import { markSlowmode } from './slowmode.ts'
import { serverNow, setServerTime } from './server-clock.ts'
import { Store } from './store.ts'
import { Loader } from './loader.ts'
import { inTab, onDevice } from './stored.ts'

/**
 * Login state: `unknown` until the server has answered, `unconfirmed` while the account has to confirm its e-mail
 * address.
 */
export const account = signal<'unknown' | 'logged_out' | 'unconfirmed' | 'logged_in' | 'unreachable'>('unknown')
export const connection = signal<ConnectionState>('connecting')

export const store = new Store()
export const { state } = store

/** Delay after a failure before the client asks again for the account. */
const RETRY_MS = 3_000
/** Time to wait for the account before the next try. */
const ANSWER_MS_MAX = 10_000
/** Counts changes of the drafts. */
const draftsVersion = signal(0)

/** A message that a rule of its server blocked, and the reason. Its text goes back into the field of its place. */
export interface BlockedDraft {
  draft: Draft
  error: unknown
}
export const blockedDraft = signal<BlockedDraft | undefined>(undefined)

export const client = openClient({
  storage: onDevice,
  servers: (isResuming) => {
    const here = route.value
    // A server whose opening was interrupted is not whole.
    if (isResuming) return ['recent', ...[...state.servers.keys()].filter((id) => !store.unknown.servers.has(id))]
    return here.page === 'server' ? ['recent', here.server_id] : ['recent']
  },
  // The message arrives by REST and by the gateway; the first of the two replaces the draft.
  onSent: (_, message) => {
    loader.addMessage(message)
    markOwn(message)
  },
  onSlowmode: ({ place }, retryAfter) => {
    const channel = 'channel_id' in place ? state.channels.get(place.channel_id) : undefined
    if (channel) markSlowmode(channel.id, serverNow() + (retryAfter - channel.slowmode_seconds) * 1000)
  },
  onRefused: (draft, error) => {
    // Files cannot be chosen again by the page, so a message with files stays in the list.
    if (error instanceof ApiError && error.code === 'automod_blocked' && draft.file_ids.length === 0)
      blockedDraft.value = { draft, error }
  },
  onUnauthorized: () => {
    // After `ready` of another account the page is being left already, and must not take that account's data with it.
    if (state.user && state.me() === outbox.accountId) leaveEnded()
  },
})
export const { call, outbox, gateway } = client
/** The server that the account has just lost, and how. */
export const lostServer = signal<
  | (Pick<Events['membership.ended'], 'name' | 'reason' | 'until' | 'appeal_contact'> & {
      cause: Events['membership.ended']['cause'] | 'deleted'
    })
  | undefined
>(undefined)
const leaving = new Set<number>()
/** Storage for a start without a network. main.tsx sets it. */
export const offlineStorage = { do: async (_task: 'restore' | 'restoreUnlessAnswered' | 'takeOver' | 'forget') => {} }
/** Notes that the account itself leaves a server. */
export const expectGone = (serverId: number): unknown => leaving.add(serverId)
// Before the loader, which applies the event and so removes the name.
gateway.listen(({ t, s, d }) => {
  if (t === 'ready') setServerTime(d.server_time)
  // Another tab has logged in to another account.
  if (t === 'ready' && state.user && d.user.id !== state.me()) leaveEnded('')
  if (t === 'membership.ended' && !leaving.delete(d.server_id)) lostServer.value = d
  // Without `s` it says that the membership has ended.
  if (t !== 'server.deleted' || s === undefined || !state.isSynced) return
  const server = state.servers.get(d.id) ?? state.listed.get(d.id)
  if (server)
    lostServer.value = { name: server.name, cause: 'deleted', reason: null, until: null, appeal_contact: null }
})
export const loader = new Loader(client, store)
gateway.listen(({ t, d }) => {
  if (t === 'message.created' && d.nonce !== null && d.author.id === state.me()) outbox.arrived(d.nonce)
})

const versions = new Map<Part, Signal<number>>()
const versionOf = (part: Part): Signal<number> => {
  const version = versions.get(part) ?? signal(0)
  versions.set(part, version)
  return version
}

/**
 * Renders the calling component again when these parts of the state change. A component that reads a signal no longer
 * renders with its parent, so it must follow every part that it reads.
 */
export const follow = (...parts: Part[]): void => {
  for (const part of parts) void versionOf(part).value
}

/** The drafts of a place. */
export const draftsOf = (place: ChannelPlace) => {
  void draftsVersion.value
  const channel = state.channels.get(place.channel_id)
  const user_id = channel && state.partnerOf(channel)
  // Earlier versions kept the drafts of a dm by its other one.
  const ofPartner = user_id === undefined ? [] : outbox.of({ user_id })
  return [...ofPartner, ...outbox.of(place)]
}

/** Moves the read mark behind a message of the account, if everything before it was read. */
function markOwn(message: SentMessage): void {
  const channel = state.channels.get(message.channel_id)
  if (!channel || channel.type === 'dm' || state.isUnread(channel) || state.markedUnread.has(channel.id)) return
  void gateway.command('channel.ack', { channel_id: channel.id, message_id: message.id }).catch(() => {})
}

const late = () =>
  new Promise<never>((_, reject) => setTimeout(() => reject(new ApiError(0, 'offline', '')), ANSWER_MS_MAX))

/** Asks the server who is logged in, and connects the gateway. Repeats while the server is unreachable. */
export async function connectAccount(): Promise<void> {
  try {
    const user = await Promise.race([call('GET /api/auth/me'), late()])
    // The page still shows a snapshot of the previous account.
    if (state.user && state.me() !== user.id) return leaveEnded('')
    state.user = user
    store.touch('shell')
    store.notify()
    if (onDevice.getItem(LEFT) === String(user.id)) onDevice.removeItem(LEFT)
    void offlineStorage.do('takeOver')
    outbox.useAccount(user.id)
    if (await mustConfirm(user)) return void (account.value = 'unconfirmed')
    account.value = 'logged_in'
    gateway.connect()
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      if (state.user) return leaveEnded()
      await offlineStorage.do('forget')
      return void (account.value = 'logged_out')
    }
    if (!state.user) account.value = 'unreachable'
    setTimeout(connectAccount, RETRY_MS)
    await offlineStorage.do('restore')
  }
}

/** True if the account has to confirm its e-mail address first: the server issues it no ticket. */
async function mustConfirm({ email_verified_at }: FullUser): Promise<boolean> {
  if (email_verified_at !== null) return false
  const { email_verification } = await call('GET /.well-known/parley')
  if (email_verification === 'off') return false
  const answer = await call('POST /api/auth/ws-ticket').catch((error: unknown) => error)
  return answer instanceof ApiError && answer.code === 'email_unverified'
}

/** Ends this session, or every session of the account, and leaves. */
export async function logOut(isEverywhere: boolean): Promise<void> {
  onDevice.setItem(LEFT, String(state.me()))
  await call(isEverywhere ? 'POST /api/auth/logout-all' : 'POST /api/auth/logout').catch(() => {})
  leave()
}

/** Storage key of the account that logs out here, so that the other tabs drop their drafts too. */
const LEFT = 'parley.left'
/** URL fragment that makes the login page say that the session has ended. */
export const ENDED = '#ended'

/**
 * Removes the account's data from this browser and loads the login page.
 * @param isAll true to remove unsent text too; otherwise it waits for the account's next login here
 */
export function leave(isAll = true, fragment = ''): void {
  gateway.disconnect()
  if (isAll) outbox.clear()
  const me = state.me()
  const isOwn = (key: string) =>
    key === 'parley.push' ||
    (isAll && key.startsWith(`parley.unsent.${me}.`)) ||
    key === `parley.recent.${me}` ||
    key.startsWith('parley.emoji.recent')
  for (const storage of [onDevice, inTab]) for (const key of storage.keys()) if (isOwn(key)) storage.removeItem(key)
  void offlineStorage.do('forget').then(() => leavePage(`/login${fragment}`))
}

/** Leaves because the session has ended: elsewhere, unless another tab has logged out. */
function leaveEnded(fragment = ENDED): void {
  if (onDevice.getItem(LEFT) === String(state.me())) return leave()
  rememberReturnPath(location.pathname)
  leave(false, fragment)
}

function watchAll(): void {
  store.watch((parts) => {
    for (const part of parts) versionOf(part).value++
  })
  outbox.watch(() => draftsVersion.value++)
  gateway.watch((now) => {
    connection.value = now
    if (now === 'ended' && account.value === 'logged_in') void leaveIfLoggedOut()
  })
  // Another tab has written.
  window.addEventListener('storage', () => outbox.refresh())
  window.addEventListener('online', () => gateway.wake())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') gateway.wake()
  })
}

/** Leaves if the gateway connection ended because the session did. */
async function leaveIfLoggedOut(): Promise<void> {
  const answer = await call('GET /api/auth/me').catch((error: unknown) => error)
  if (answer instanceof ApiError && answer.status === 401) leaveEnded()
}

watchAll()
