import { gateway } from '../state/session.ts'
import { showLater, showNote } from '../ui/kit/dialogs.tsx'
import { securityWords } from '../words/security.ts'
import { hashOf } from './pin-record.ts'
import { loadPin, offeredNow, pin } from './pinned-client.ts'

/** Time for which a warning is shown, ms. */
const WARNING_MS = 60_000

/** Hashes of files about which this page has asked. */
const askedAbout = new Set<string>()

/**
 * Asks the person if the server has other files than those that this device keeps.
 * @param isReplaced true if the browser has just loaded another service worker
 */
async function comparePin(isReplaced: boolean): Promise<void> {
  await loadPin()
  const former = pin.value
  if (!former) return
  const offered = await offeredNow()
  if (askedAbout.has(offered.hash)) return
  if (offered.hash !== former.hash) {
    askedAbout.add(offered.hash)
    return showLater(async () => {
      const { ClientQuestion } = await import('../ui/security/client-question.tsx')
      return () => <ClientQuestion former={former} offered={offered} />
    })
  }
  // The browser replaces the worker without asking, and the server can tell the browser's request from this one.
  const worker = await fetch('/worker.js', { cache: 'no-store' })
  const isListed = !worker.ok || (await hashOf(await worker.arrayBuffer())) === former.files['worker.js']
  if (isReplaced || !isListed) showNote(securityWords.files.unlisted, WARNING_MS)
}

const compare = (isReplaced = false): void => void comparePin(isReplaced).catch(() => {})

let isWatching = false

/** Watches the server's files while the page is open. Call if this device keeps a client. */
export function watchPin(registration: ServiceWorkerRegistration): void {
  if (isWatching) return
  isWatching = true
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (typeof data?.refusedFile === 'string') showNote(securityWords.files.refused, WARNING_MS)
  })
  registration.addEventListener('updatefound', () => compare(true))
  gateway.listen(({ t }) => void (t === 'ready' && compare()))
  compare()
}
