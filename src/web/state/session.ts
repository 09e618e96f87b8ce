import { type Signal, signal } from '@preact/signals'
import { openClient } from '../client/client.ts'
import type { Connection } from '../client/gateway.ts'
import type { Place } from '../client/outbox.ts'
import type { Part } from './event-handlers.ts'
import { Store } from './store.ts'
import { Sync } from './loader.ts'

/** Whether somebody is logged in; `asking` until the server has said so. */
export const account = signal<'asking' | 'none' | 'here' | 'away'>('asking')
export const connection = signal<Connection>('connecting')

export const store = new Store()
export const { state } = store

const SHELF = 'parley.outbox'
/** Changes of what waits to be sent. */
const drafts = signal(0)

export const client = openClient({
  shelf: {
    read: () => localStorage.getItem(SHELF),
    write: (text) => localStorage.setItem(SHELF, text),
  },
  // What the answer says, the gateway says too; whichever comes first takes the draft's place.
  onSent: (draft, message) => sync.take(draft.place, message as never),
})
export const { call, outbox, gateway } = client
export const sync = new Sync(client, store)

const versions = new Map<Part, Signal<number>>()
const versionOf = (part: Part): Signal<number> => {
  const version = versions.get(part) ?? signal(0)
  versions.set(part, version)
  return version
}

/**
 * Renders the calling component again when these parts of the state change. A component that reads any signal is not
 * rendered with its parent any more: it has to follow all that it reads itself.
 */
export const follow = (...parts: Part[]): void => {
  for (const part of parts) void versionOf(part).value
}

/** What waits to be sent to a place. */
export const pendingOf = (place: Place) => {
  void drafts.value
  return outbox.of(place)
}

/** What somebody is called, without the marks that would turn the text around them. */
export const nameOf = (id: number, otherwise = '…'): string =>
  plain(state.users.get(id)?.display_name ?? (id === state.me() ? state.user?.display_name : undefined) ?? otherwise)

/** Text of one line without characters that reorder what stands beside it (Unicode's bidirectional controls). */
export const plain = (text: string): string => text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')

/** Asks who is logged in, and connects. */
export async function begin(): Promise<void> {
  try {
    const user = await call('GET /api/auth/me')
    state.user = user
    account.value = 'here'
    gateway.connect()
  } catch (error) {
    account.value = (error as { status: number }).status === 401 ? 'none' : 'away'
    if (account.value === 'away') setTimeout(begin, 3000)
  }
}

/** Ends the session here and forgets what is kept in this browser. */
export async function logOut(everywhere: boolean): Promise<void> {
  await call(everywhere ? 'POST /api/auth/logout-all' : 'POST /api/auth/logout').catch(() => {})
  leave()
}

/** A fresh page holds nothing of the account that was here. */
export function leave(): void {
  gateway.disconnect()
  localStorage.removeItem(SHELF)
  location.assign('/login')
}

function watchAll(): void {
  store.watch((parts) => {
    for (const part of parts) versionOf(part).value++
  })
  outbox.watch(() => drafts.value++)
  gateway.watch((now) => {
    connection.value = now
    if (now === 'ended' && account.value === 'here') void askWhy()
  })
  window.addEventListener('online', () => gateway.state === 'waiting' && gateway.connect())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && gateway.state === 'waiting') gateway.connect()
  })
}

/** The gateway connects no more by itself: whoever is logged out goes to the door. */
async function askWhy(): Promise<void> {
  const who = await call('GET /api/auth/me').catch((error: { status: number }) => error)
  if ('status' in who && who.status === 401) leave()
}

watchAll()
