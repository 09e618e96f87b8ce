/** A link as the client draws one, in any text. */
const LINK = /https?:\/\/[^\s<>"`\\^{|}]+/giu
/** Invites of Discord, of any installation of Parley, of Telegram and of WhatsApp. */
const INVITE = new RegExp(
  [
    String.raw`(?:discord(?:app)?\.com\/invite|discord\.gg|discord\.me|dsc\.gg|\/invite)\/[\p{L}\p{N}-]{2,64}`,
    String.raw`t\.me\/\+`,
    String.raw`chat\.whatsapp\.com\/`,
  ].join('|'),
  'iu',
)

/** The hosts that a text links to: in lower case and punycode, as browsers read them. */
export function hostsIn(text: string): string[] {
  if (!/https?:\/\//i.test(text)) return []
  return [...text.matchAll(LINK)].flatMap(([link]) => {
    const url = URL.canParse(link) ? new URL(link) : undefined
    return url ? [url.hostname.replace(/\.$/, '')] : []
  })
}

/** True if a host is in the list, or below one of it. */
export const isListed = (host: string, hosts: string[]): boolean =>
  hosts.some((listed) => host === listed || host.endsWith(`.${listed}`))

/** The invite to some community in a text, if there is one. */
export const inviteIn = (text: string): string | undefined => INVITE.exec(text)?.[0]
