import { computed, signal } from '@preact/signals'
import { inTab } from './stored.ts'

const path = signal(location.pathname)

/** The token of a mailed link: the fragment of a page that takes one. Removed from the address bar at once. */
export const linkToken = signal('')

function takeToken(): void {
  if (!/^\/(reset|verify|claim)$/.test(location.pathname) || location.hash.length < 2) return
  linkToken.value = location.hash.slice(1)
  history.replaceState(null, '', location.pathname)
}
takeToken()
// A link that is opened in a tab that shows the page already.
window.addEventListener('hashchange', takeToken)

let signOn = ''

function keepSignOn(): void {
  const [, outcome] = /^#sso=([\w:,-]{1,200})$/.exec(location.hash) ?? []
  if (outcome === undefined) return
  signOn = outcome
  history.replaceState(null, '', location.pathname)
}
keepSignOn()

/** Returns the result of a login by the identity provider once; afterwards an empty text. */
export function takeSignOn(): string {
  const outcome = signOn
  signOn = ''
  return outcome
}

/** True if the person has just returned from the identity provider. */
export const hasSignOn = (): boolean => signOn !== ''

/** The current page. */
export type Route =
  | { page: 'login' | 'register' | 'forgot' | 'reset' | 'verify' | 'claim' }
  | { page: 'invite'; code: string }
  | { page: 'operator'; section: string }
  | { page: 'application'; id: number }
  | { page: 'friends' }
  | { page: 'direct'; user_id: number }
  | { page: 'place'; channel_id: number; message_id: number | undefined }
  | { page: 'server'; server_id: number; channel_id: number | undefined }

const PLACE = /^\/c\/(\d{1,15})(?:\/(\d{1,15}))?$/
const placeIn = ([, channel, message]: string[]) => ({
  channel_id: Number(channel),
  message_id: message === undefined ? undefined : Number(message),
})

const PATTERNS: [RegExp, (match: string[]) => Route][] = [
  [/^\/login$/, () => ({ page: 'login' })],
  [/^\/register$/, () => ({ page: 'register' })],
  [/^\/forgot$/, () => ({ page: 'forgot' })],
  [/^\/reset$/, () => ({ page: 'reset' })],
  [/^\/verify$/, () => ({ page: 'verify' })],
  [/^\/claim$/, () => ({ page: 'claim' })],
  [/^\/invite\/([0-9a-z]{1,64})$/, ([, code = '']) => ({ page: 'invite', code })],
  [/^\/app\/dm\/(\d{1,15})$/, ([, id]) => ({ page: 'direct', user_id: Number(id) })],
  [/^\/operator(?:\/([a-z]{1,20}))?$/, ([, section = '']) => ({ page: 'operator', section })],
  [/^\/apps\/(\d{1,15})$/, ([, id]) => ({ page: 'application', id: Number(id) })],
  [PLACE, (match) => ({ page: 'place', ...placeIn(match) })],
  [
    /^\/app\/servers\/(\d{1,15})(?:\/channels\/(\d{1,15}))?$/,
    ([, server, channel]) => ({
      page: 'server',
      server_id: Number(server),
      channel_id: channel === undefined ? undefined : Number(channel),
    }),
  ],
]

export const route = computed<Route>(() => {
  for (const [pattern, routeOf] of PATTERNS) {
    const match = pattern.exec(path.value)
    if (match) return routeOf(match)
  }
  return { page: 'friends' }
})

/** The server on the page. Components that read only this do not render again when the channel changes. */
export const serverHere = computed(() => (route.value.page === 'server' ? route.value.server_id : undefined))

export const channelPath = (serverId: number, channelId?: number): string =>
  `/app/servers/${serverId}${channelId === undefined ? '' : `/channels/${channelId}`}`
/** Leads to the dm with an account, which is opened if there is none. */
export const directPath = (userId: number): string => `/app/dm/${userId}`
/** Leads to a channel of any type, and to a message in it. */
export const placePath = (channelId: number, messageId?: number): string =>
  `/c/${channelId}${messageId === undefined ? '' : `/${messageId}`}`

/** The route of a notice's path; undefined for any other path. */
export function parsePlace(pathname: string): { channel_id: number; message_id: number | undefined } | undefined {
  const match = PLACE.exec(pathname)
  return match ? placeIn(match) : undefined
}

const RETURN_PATH = 'parley.after'

/** Keeps the page to show after logging in: an invite, or another page that needs an account. */
export const rememberReturnPath = (path: string): void => inTab.setItem(RETURN_PATH, path)

/** Forgets that page and returns its path. */
export function takeReturnPath(): string {
  const path = inTab.getItem(RETURN_PATH) ?? '/app'
  inTab.removeItem(RETURN_PATH)
  return path
}

/** The invite code in that page's path. */
export const returnInviteCode = (): string | undefined =>
  /^\/invite\/([0-9a-z]+)$/.exec(inTab.getItem(RETURN_PATH) ?? '')?.[1]

export function go(to: string, isReplacing = false): void {
  if (to !== location.pathname) history[isReplacing ? 'replaceState' : 'pushState'](null, '', to)
  path.value = to
}

/** Goes to a page. Adds a step to the history, even for the same page. */
export function push(to: string): void {
  history.pushState(null, '', to)
  path.value = to
}

/**
 * Called before steps in the browser's history, and before a notice or call leads to a page. Returns true to stay on
 * the page.
 */
export const stepGuard: { keeps?: ((to?: string) => boolean) | undefined } = {}

/** Goes to the page of a notice or a call, after a question if there is unsaved input. */
export function goFromNotice(to: string): void {
  if (!stepGuard.keeps?.(to)) go(to)
}

window.addEventListener('popstate', (event) => {
  if (stepGuard.keeps?.()) event.stopImmediatePropagation()
  else path.value = location.pathname
})

/** True for a click with the main button and without modifiers, which open a tab or window or download the link. */
export const leadsOn = (event: MouseEvent): boolean =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

/** Follows links within the client without a request; the browser follows every other link. */
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || !leadsOn(event)) return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.target || link.origin !== location.origin || link.hasAttribute('download')) return
  if (!/^\/(app|apps|c|login|register|forgot|invite|operator)?(\/|$)/.test(link.pathname)) return
  event.preventDefault()
  go(link.pathname)
})
