import { withoutHidden } from '../../../core/visible.ts'

const KEY = 'parley.hosts'
/** Hosts to remember; the oldest one is dropped. */
const HOSTS_MAX = 300

/** Hosts that the reader has chosen to open on this page. */
const openedHosts = new Set<string>()

const LATIN = /^[a-z\xdf-\u024f\u1e00-\u1eff\d.-]*$/
/** Scripts with letters that look like Latin ones: Cyrillic, Greek, Armenian, Cherokee, and phonetic letters. */
const LIKE_LATIN = /[\p{scx=Cyrl}\p{scx=Grek}\p{scx=Armn}\p{scx=Cher}\u0250-\u02af\u1d00-\u1dbf@%]/u

/** True if a host cannot be mistaken for another: lookalikes of Latin letters do not mix with Latin ones. */
const isHonest = (host: string): boolean => LATIN.test(host) || !LIKE_LATIN.test(host) || !/[a-z@%]/.test(host)

/**
 * The visible text of an address: the host in Punycode if it mixes scripts that look alike, and without a user name
 * before an @, which could pass for a host.
 */
export function shownAddress(href: string): string {
  const host = URL.parse(href)?.host
  if (!host) return withoutHidden(href)
  return withoutHidden(href).replace(/^(https?:\/\/)([^/?#\\]*)/i, (whole, scheme: string, hostText: string) =>
    isHonest(hostText.toLowerCase().replace(/:\d+$/, '').normalize('NFC')) ? whole : scheme + host,
  )
}

/** The host of a link; of a mail link, the address. */
export const hostOfLink = (href: string): string => {
  const url = URL.parse(href)
  return url?.host || (url?.pathname ?? href)
}

/** True if a label shows the host of its link. */
function namesHost(label: string, href: string): boolean {
  const text = withoutHidden(label).trim()
  if (href.startsWith('mailto:')) return text === hostOfLink(href)
  const plain = (host: string | undefined) => host?.replace(/^www\./, '')
  const url = URL.parse(/^https?:/i.test(text) ? text : `https://${text}`)
  return url !== null && url.username === '' && plain(url.host) === plain(hostOfLink(href))
}

/** True if a title looks like an address. */
export const namesAddress = (title: string): boolean =>
  /https?:|www\./i.test(title) || /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:\/\S*)?$/u.test(withoutHidden(title).trim())

function rememberedHosts(): string[] {
  try {
    const hosts: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : []
  } catch {
    return []
  }
}

/** True if a labelled link asks before it opens: once per host. */
export function asksBefore(label: string, href: string): boolean {
  const host = hostOfLink(href)
  if (host === location.host || namesHost(label, href)) return false
  return !openedHosts.has(host) && !rememberedHosts().includes(host)
}

/** Notes that the reader opens a host. @param isForever not to be asked again in this browser */
export function noteOpened(host: string, isForever: boolean): void {
  openedHosts.add(host)
  if (!isForever) return
  try {
    localStorage.setItem(KEY, JSON.stringify([...rememberedHosts(), host].slice(-HOSTS_MAX)))
  } catch {
    // Full or forbidden: until the page is left.
  }
}
