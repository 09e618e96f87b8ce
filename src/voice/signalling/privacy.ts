/** What a session description or a candidate says of who sends it, judged and cut down. */

const isRelay = (candidate: string): boolean => / typ relay( |$)/.test(candidate)
/** RFC 8839 §5.1: raddr and rport of a relayed candidate tell the address behind the relay. */
const withoutRelated = (candidate: string): string =>
  candidate.replace(/ raddr \S+/, ' raddr 0.0.0.0').replace(/ rport \S+/, ' rport 9')

/** A candidate as one who shows its addresses to nobody may send it; undefined when it may not. */
export const relayedCandidate = (candidate: string): string | undefined =>
  candidate === '' || isRelay(candidate) ? withoutRelated(candidate) : undefined

/** A description without any candidate that is not relayed, and without the address of the default one. */
export const relayedSdp = (sdp: string): string =>
  sdp
    .split(/(?<=\n)/)
    .flatMap((line) => {
      if (line.startsWith('a=candidate:')) return isRelay(line.trimEnd()) ? [withoutRelated(line)] : []
      if (/^c=IN IP[46] /.test(line)) return [line.replace(/^c=IN IP[46] \S+/, 'c=IN IP4 0.0.0.0')]
      if (line.startsWith('o=')) return [line.replace(/ IN IP[46] \S+/, ' IN IP4 0.0.0.0')]
      return line.startsWith('a=rtcp:')
        ? [line.replace(/^a=rtcp:\d+.*?(?=\r?\n|$)/, 'a=rtcp:9 IN IP4 0.0.0.0')]
        : [line]
    })
    .join('')

/** Whether a description offers to send pictures: RFC 8866 §6.7, sendrecv when nothing is said. */
export function sendsPictures(sdp: string): boolean {
  const [session = '', ...media] = sdp.split(/^(?=m=)/m)
  const direction = (part: string) => /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/m.exec(part)?.[1]
  return media.some((part) => {
    if (!part.startsWith('m=video ') || part.startsWith('m=video 0 ')) return false
    return ['sendrecv', 'sendonly'].includes(direction(part) ?? direction(session) ?? 'sendrecv')
  })
}
