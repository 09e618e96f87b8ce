import { account, outbox, state, store } from '../state/session.ts'
import type { KeptMember, State } from '../state/state.ts'
import type { Timeline } from '../state/timeline.ts'
import { language } from '../words/load.ts'
import { forgetKept, keep, keepAccount, keepSnapshot, KEPT_PAGE, readKept } from './kept.ts'

const PERIOD_MS = 20_000
const PLACES_MAX = 30
const MESSAGES_MAX = 50
const ROWS_MAX = 5_000

const MAPS = [
  'users',
  'servers',
  'listed',
  'channels',
  'roles',
  'emoji',
  'stickers',
  'readMarks',
  'relations',
  'conversations',
  'overwrites',
  'ownOverwrites',
  'newest',
  'mentions',
  'settings',
] as const satisfies (keyof State)[]

interface Snapshot {
  /** The path of the script that wrote it: another version may keep other things. */
  build: string
  user: NonNullable<State['user']>
  maps: Record<(typeof MAPS)[number], [never, never][]>
  /** The account's memberships, which determine its permissions. */
  members: KeptMember[]
  followed: number[]
  timelines: [string, Timeline][]
}

const build = (): string => document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src') ?? ''

const isSnapshot = (value: unknown): value is Snapshot =>
  typeof value === 'object' && value !== null && 'build' in value && value.build === build()

/** Stores the state periodically and when the page is hidden, for a start without a network. */
export function keepSnapshots(): void {
  let hasChanged = true
  store.watch(() => (hasChanged = true))
  const save = () => {
    if (!hasChanged || !state.isSynced || account.value !== 'logged_in') return
    hasChanged = false
    void keepSnapshot(state.me(), snapshotOf()).catch(() => {})
  }
  setInterval(save, PERIOD_MS)
  document.addEventListener('visibilitychange', save)
  window.addEventListener('pagehide', save)
}

function snapshotOf(): Snapshot {
  const { user, followed, timelines } = state
  const maps = Object.fromEntries(MAPS.map((name) => [name, [...state[name]].slice(0, ROWS_MAX)]))
  const members = [...state.members.values()].flatMap((all) => all.get(state.me()) ?? [])
  // The most recently viewed channels come last.
  const recent = [...timelines].filter(([, timeline]) => timeline.loaded && timeline.atNewest).slice(-PLACES_MAX)
  const short = recent.map(([key, timeline]): [string, Timeline] => {
    const entries = timeline.entries.slice(-MESSAGES_MAX)
    const isWhole = timeline.atOldest && entries.length === timeline.entries.length
    return [key, { ...timeline, entries, atOldest: isWhole, meanwhile: undefined }]
  })
  // `user` is defined: snapshots are stored only for a logged-in account.
  return { build: build(), user, maps, members, followed: [...followed], timelines: short } as Snapshot
}

/** Time to wait for the server before the snapshot is shown. */
const ANSWER_MS = 2_000

/** Shows the snapshot unless the server answers soon; at once if the page came without a network. */
export async function restoreUnlessAnswered(): Promise<void> {
  const timings = performance
    .getEntriesByType('navigation')
    .filter((entry) => entry instanceof PerformanceNavigationTiming)
  const isKept = timings.some(({ serverTiming }) => serverTiming?.some(({ name }) => name === KEPT_PAGE))
  if (!isKept) await new Promise((resolve) => setTimeout(resolve, ANSWER_MS))
  await restore()
}

/** The account has left. */
let isForgotten = false

/** Shows the snapshot until the server answers. */
export async function restore(): Promise<void> {
  const [snapshot, userId] = await Promise.all([readKept('snapshot'), readKept('account')])
  const isOpen = account.value === 'unknown' || account.value === 'unreachable'
  if (!isSnapshot(snapshot) || snapshot.user.id !== userId || state.user || !isOpen || isForgotten) return
  state.user = snapshot.user
  for (const name of MAPS) for (const [key, value] of snapshot.maps[name]) state[name].set(key, value)
  for (const member of snapshot.members) state.membersOf(member.server_id).set(member.user_id, member)
  for (const id of snapshot.followed) state.followed.add(id)
  for (const [key, timeline] of snapshot.timelines) state.timelines.set(key, timeline)
  state.isSynced = true
  outbox.useAccount(snapshot.user.id)
  account.value = 'logged_in'
  store.touch(
    'shell',
    'members',
    'statuses',
    'voices',
    ...snapshot.timelines.map(([key]) => `timeline ${key}` as const),
  )
  store.notify()
}

/** Stores the account as this browser's, and deletes data and notices of another one. */
export async function takeOver(): Promise<void> {
  const isOther = await keepAccount(state.me())
  await keep('language', language)
  if (!isOther) return
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const notice of (await registration?.getNotifications()) ?? []) notice.close()
}

/** Time that a logout waits for other tabs to close the database, which then is deleted. */
const FORGETTING_MS_MAX = 800

/** Removes the account's data from this browser; the worker also closes its notices. */
export async function forget(): Promise<void> {
  isForgotten = true
  navigator.serviceWorker?.controller?.postMessage('left')
  await Promise.race([forgetKept(), new Promise((resolve) => setTimeout(resolve, FORGETTING_MS_MAX))])
}
