import { loadTools } from '../ui/messages/tools.tsx'

/**
 * Parts to preload: those that people open soon, the likeliest first, and everything that calls need. A page may stay
 * open for days, and an upgraded server no longer has the old page's files.
 */
const PARTS: (() => Promise<unknown>)[] = [
  loadTools,
  () => import('../ui/messages/completions.tsx'),
  () => import('../ui/menus/entries.ts'),
  () => import('../ui/people/profile.tsx'),
  () => import('../ui/shell/switcher.tsx'),
  () => import('../ui/kit/confirm.tsx'),
  () => import('../ui/menus/thread-menu.ts'),
  () => import('../ui/voice/incoming-calls.tsx'),
  () => import('../ui/notifications/inbox.tsx'),
  () => import('../ui/messages/pins.tsx'),
  () => import('../ui/search/search-panel.tsx'),
  () => import('../ui/shell/direct-page.tsx'),
  () => import('../ui/settings/user-settings.tsx'),
  () => import('../ui/server/server-settings.tsx'),
  () => import('../ui/server/channel-settings.tsx'),
  () => import('../ui/voice/call-panel.tsx'),
  () => import('../ui/voice/call-stage.tsx'),
  () => import('../voice/talk-gate.ts'),
  () => import('../voice/microphone.ts'),
  () => import('../voice/loudness.ts'),
  () => import('mediasoup-client'),
]

/** Without `requestIdleCallback`, which Safari lacks, a part is loaded after this. */
const PAUSE_MS = 500

/** Runs this once the page is idle. */
export const whenIdle = (run: () => void): unknown =>
  'requestIdleCallback' in window ? requestIdleCallback(run) : setTimeout(run, PAUSE_MS)

/** Loads these parts one by one while the page is idle, unless the device saves data. */
export function loadSoon(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  const [first, ...others] = connection?.saveData ? [] : PARTS
  const load = (part: typeof first, rest: typeof PARTS): unknown =>
    part &&
    whenIdle(() => {
      // Ignore a failed preload: the part is loaded again when the page needs it.
      void part()
        .catch(() => {})
        .then(() => load(rest[0], rest.slice(1)))
    })
  load(first, others)
}
