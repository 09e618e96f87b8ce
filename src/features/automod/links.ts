import { hrefsIn } from '../../core/markup/references.ts'

/** Everything like a link in a text, also in code. */
const LINK = /https?:\/\/[^\s<>"`\\^{|}]+/giu
/** Punctuation behind a link: no name of a host ends with it. */
const HOST_END = /[^\p{L}\p{N}\]]+$/u
/** Invites of Discord, of any installation of Parley, of Telegram and of WhatsApp. */
const INVITE = new RegExp(
  [
    String.raw`(?:discord(?:app)?\.com\/invite|discord\.gg|discord\.me|dsc\.gg|\/invite)\/[\p{L}\p{N}-]{2,64}`,
    String.raw`t\.me\/\+`,
    String.raw`chat\.whatsapp\.com\/`,
  ].join('|'),
  'iu',
)
const ESCAPE = /%[0-7][0-9a-f]/gi

/** The host of a link, in lower case and punycode, as browsers read it; none if no browser opens it. */
const hostOf = (link: string): string[] => {
  const url = URL.parse(link)
  return url ? [url.hostname.replace(HOST_END, '')] : []
}

/** The hosts of the links that readers can click. */
export const drawnHosts = (text: string): string[] => hrefsIn(text).flatMap(hostOf)

/** The hosts of everything in a text that looks like a link, also where the client draws none. */
export function hostsIn(text: string): string[] {
  if (!/https?:\/\//i.test(text)) return []
  return [...drawnHosts(text), ...[...text.matchAll(LINK)].flatMap(([link]) => hostOf(link))]
}

/** True if a host is in the list, or below one of it. */
export function isListed(host: string, hosts: Set<string>): boolean {
  for (let at = 0; at >= 0; at = host.indexOf('.', at + 1))
    if (hosts.has(host.slice(at === 0 ? 0 : at + 1))) return true
  return false
}

/**
 * The invite to some community in a text, if there is one.
 * @param readings the text as it is read, folded
 */
export function inviteIn(text: string, readings: string[]): string | undefined {
  const links = hrefsIn(text).map((href) => URL.parse(href)?.href.replace(ESCAPE, decodeURIComponent) ?? '')
  return [text, ...readings, ...links].map((each) => INVITE.exec(each)?.[0]).find((invite) => invite !== undefined)
}
