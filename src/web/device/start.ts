import { goFromNotice } from '../state/route.ts'
import { gateway, store } from '../state/session.ts'
import { allowChimes } from '../sound/chime.ts'
import { watchAuthors } from './authors.ts'
import { showTotals, watchTitle } from './badge.ts'
import { reportFocus } from './focus.ts'
import { reportPresence } from './idle.ts'
import { listenForContextMenus } from '../ui/menus/context-menus.ts'
import { listenForDeletions } from '../ui/messages/deleted-meanwhile.ts'
import { listenForShortcuts, runShortcut } from '../ui/shell/shortcuts.tsx'
import { listenForSwipes } from '../ui/shell/swipes.ts'
import { showVoices } from '../ui/shell/voice-members.tsx'
import { showSwitcher } from '../ui/shell/show-switcher.tsx'
import { listenForUnreadKeys } from '../ui/notifications/unread-keys.ts'
import { listenForMessages } from './notices.ts'
import { PIN_CACHE } from './pin-record.ts'
import { shareFocus } from './other-tabs.ts'
import { renewPush } from './push.ts'
import { keepSnapshots } from './snapshot.ts'
import { loadSoon, whenIdle } from './soon.ts'

/** Paths of the worker are constants: nothing that anybody has written becomes a script. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('worker', { createScriptURL: (url) => url })

let hasBegun = false
/** A key that was pressed longer ago does nothing any more, ms: nobody waits longer for a shortcut. */
const EARLY_MS_MAX = 10_000

/**
 * Starts the device's tasks for a logged-in account once its page is shown.
 * @param early keys that were pressed on the page before this code had loaded, and that nothing else has taken
 */
export function start(early: KeyboardEvent[]): void {
  document.onkeydown = null
  if (hasBegun) return
  hasBegun = true
  void register().catch(() => {})
  store.watch(showTotals)
  watchTitle()
  showTotals()
  reportFocus()
  reportPresence()
  watchAuthors()
  shareFocus()
  for (const event of early) if (performance.now() - event.timeStamp < EARLY_MS_MAX) runShortcut(event)
  listenForUnreadKeys()
  listenForShortcuts()
  listenForContextMenus()
  listenForDeletions()
  keepSnapshots()
  loadSoon()
  showVoices()
  if (matchMedia('(pointer: coarse)').matches) listenForSwipes()
  if (matchMedia('(prefers-reduced-motion)').matches)
    void import('../ui/emoji/still-emoji.ts').then(({ watchStillEmoji }) => watchStillEmoji())
  gateway.listen(listenForMessages)
  allowChimes()
  if (new URLSearchParams(location.search).has('find')) void showSwitcher()
  if (new URLSearchParams(location.search).has('shared'))
    void import('../ui/share/share.tsx').then(({ showShared }) => showShared())
  if (isEventPath(location.pathname + location.search)) openEvent(location.search)
  whenIdle(
    () =>
      void import('../ui/calendar/now.tsx').then(
        ({ watchEventsNow }) => watchEventsNow(),
        () => {},
      ),
  )
}

/** Paths of notices of events: the page opens the event's dialog. */
const isEventPath = (path: string): boolean => path.startsWith('/app?event=')
function openEvent(search: string): void {
  const parameters = new URLSearchParams(search)
  void import('../ui/calendar/show-events.tsx').then(
    ({ showEvent }) => showEvent(Number(parameters.get('event')), Number(parameters.get('date'))),
    () => {},
  )
}

/** Registers the service worker, which pages without TLS have not. */
async function register(): Promise<void> {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker
  if (!workers) return
  workers.addEventListener('message', ({ data }) => {
    if (typeof data?.go !== 'string') return
    if (data.go.startsWith('/c/')) goFromNotice(data.go)
    if (isEventPath(data.go)) openEvent(data.go.slice('/app'.length))
  })
  const url = '/worker.js'
  await workers.register(policy?.createScriptURL(url) ?? url, { updateViaCache: 'none' })
  const registration = await workers.ready
  if (await caches.has(PIN_CACHE)) void import('./watch-pin.tsx').then(({ watchPin }) => watchPin(registration))
  // Files requested before the worker took control are cached as well.
  new PerformanceObserver((list) => {
    const loaded = (list.getEntries() as PerformanceResourceTiming[]).filter(({ workerStart }) => workerStart === 0)
    const paths = loaded.map(({ name }) => new URL(name).pathname).filter((path) => path.startsWith('/assets/'))
    if (paths.length > 0) registration.active?.postMessage(paths)
  }).observe({ type: 'resource', buffered: true })
  await renewPush()
}
