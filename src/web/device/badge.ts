import { badgeOf, isUnreadAloud } from '../state/notifications.ts'
import { state } from '../state/session.ts'

/** The icon with a dot, drawn as src/web/icon.svg is. */
const DOTTED = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#0c7573"/>' +
    '<path d="M9 10.6A3.6 3.6 0 0 1 12.6 7H17.3a6.8 6.8 0 0 1 0 13.6H14L9.9 25.1A.55.55 0 0 1 9 24.7z" fill="#fff"/>' +
    '<circle cx="24" cy="8" r="7" fill="#e5484d" stroke="#fff" stroke-width="2"/></svg>',
)}`

let plain: string | undefined
let shownTitle = ''
let total = 0

/** Puts the number before the page's title, also after the title changes. */
function showInTitle(): void {
  const bare = document.title.replace(/^\(\d+\) /, '')
  const title = total > 0 ? `(${total}) ${bare}` : bare
  if (document.title !== title) document.title = title
}

/** Keeps the number in the title when the page changes it. */
export function watchTitle(): void {
  const element = document.querySelector('title')
  if (element) new MutationObserver(showInTitle).observe(element, { childList: true })
}

/** Shows in the title, the tab's icon and on the program's icon how much there is to read. */
export function showTotals(): void {
  let count = state.waitingInInbox()
  let isUnread = false
  for (const channel of state.channels.values()) {
    count += badgeOf(state, channel)
    isUnread ||= isUnreadAloud(state, channel)
  }
  for (const { unread_count, mention_count } of state.listed.values()) {
    count += mention_count
    isUnread ||= unread_count > 0
  }
  const now = `${count} ${isUnread}`
  if (now === shownTitle) return
  shownTitle = now
  total = count
  showInTitle()
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  plain ??= link?.href
  if (link && plain) link.href = count > 0 || isUnread ? DOTTED : plain
  // Not in every browser.
  if (count > 0) void navigator.setAppBadge?.(count).catch(() => {})
  else void navigator.clearAppBadge?.().catch(() => {})
}
