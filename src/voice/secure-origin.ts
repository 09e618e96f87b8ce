/** True if browsers allow pages of this origin to use microphones: https or loopback (W3C Secure Contexts §3.1). */
export function givesMicrophones(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]'
  return protocol === 'https:' || isLocal || /^127(\.\d+){3}$/.test(hostname)
}

/** The warning if they do not. */
export const NO_MICROPHONES = 'browsers give microphones only to https or localhost'
