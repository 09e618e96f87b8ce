/** Whether browsers give microphones to the pages of an origin: only https and this machine count as safe (W3C). */
export function givesMicrophones(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  const local = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]'
  return protocol === 'https:' || local || /^127(\.\d+){3}$/.test(hostname)
}

/** What is said where they do not. */
export const NO_MICROPHONES = 'browsers give microphones only to https or localhost'
