import { latinOf } from '../../../core/look-alikes.ts'
import { withoutHidden } from '../../../core/visible.ts'

const KEY = 'parley.hosts'
/** Hosts that are remembered; the one that was remembered first goes. */
const HOSTS_MAX = 300

/** Hosts that the reader has chosen to open on this page. */
const opened = new Set<string>()

const LATIN = /^[a-z\xdf-\u024f\u1e00-\u1eff\d-]*$/
/** The scripts that may stand together in a part of a host. Source: UTS 39 §5.2, without mixes with Latin. */
const SCRIPTS = [
  String.raw`a-zー\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}`,
  ...'Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hebr Khmr Knda Laoo Mlym Mymr Orya Sinh Taml Telu Thai'
    .split(' ')
    .map((script) => String.raw`\p{scx=${script}}`),
].map((letters) => new RegExp(String.raw`^[${letters}\d-]*$`, 'u'))

/** Whether a part of a host is what it looks like: of one script, and not of letters that all look like Latin ones. */
function isHonest(part: string): boolean {
  if (LATIN.test(part)) return true
  return !/^[a-z\d-]*$/.test(latinOf(part)) && SCRIPTS.some((script) => script.test(part))
}

/**
 * An address as it is shown: its host in Punycode where scripts mix or look like others, and without what stands before
 * an @, which looks like a host.
 */
export function shownAddress(href: string): string {
  const host = URL.parse(href)?.host
  if (!host) return withoutHidden(href)
  return withoutHidden(href).replace(/^(https?:\/\/)([^/?#\\]*)/i, (whole, scheme: string, written: string) => {
    const parts = written.toLowerCase().replace(/:\d+$/, '').normalize('NFC').split('.')
    return parts.every(isHonest) ? whole : scheme + host
  })
}

/** The host of a link; of a mail link, the address. */
export const hostOfLink = (href: string): string => {
  const url = URL.parse(href)
  return url?.host || (url?.pathname ?? href)
}

/** Whether a label shows the host that its link leads to. */
function namesHost(label: string, href: string): boolean {
  const shown = withoutHidden(label).trim()
  if (href.startsWith('mailto:')) return shown === hostOfLink(href)
  const plain = (host: string | undefined) => host?.replace(/^www\./, '')
  const named = URL.parse(/^https?:/i.test(shown) ? shown : `https://${shown}`)
  return named !== null && named.username === '' && plain(named.host) === plain(hostOfLink(href))
}

/** Whether a title looks like an address. */
export const namesAddress = (title: string): boolean =>
  /https?:|www\./i.test(title) || /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:\/\S*)?$/u.test(withoutHidden(title).trim())

function remembered(): string[] {
  try {
    const hosts: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : []
  } catch {
    return []
  }
}

/** Whether the reader is asked before a labelled link is opened: once for each host. */
export function asksBefore(label: string, href: string): boolean {
  const host = hostOfLink(href)
  if (host === location.host || namesHost(label, href)) return false
  return !opened.has(host) && !remembered().includes(host)
}

/** Notes that the reader opens a host. @param forever not to be asked again in this browser */
export function noteOpened(host: string, forever: boolean): void {
  opened.add(host)
  if (!forever) return
  try {
    localStorage.setItem(KEY, JSON.stringify([...remembered(), host].slice(-HOSTS_MAX)))
  } catch {
    // Full or forbidden: until the page is left.
  }
}
