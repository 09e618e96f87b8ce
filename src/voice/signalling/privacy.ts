// Removes the sender's own addresses from candidates and session descriptions.

const isRelay = (candidate: string): boolean => / typ relay( |$)/.test(candidate)
/** RFC 8839 §5.1: raddr and rport of a relayed candidate reveal the address behind the relay. */
const withoutRelated = (candidate: string): string =>
  candidate.replace(/ raddr \S+/, ' raddr 0.0.0.0').replace(/ rport \S+/, ' rport 9')

/** A candidate that a `relay_only` member may send; undefined if the candidate is not relayed. */
export const relayedCandidate = (candidate: string): string | undefined =>
  candidate === '' || isRelay(candidate) ? withoutRelated(candidate) : undefined

/** A description with only its relayed candidates, and without the default candidate's address. */
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

/** True if a description offers to send video. RFC 8866 §6.7: sendrecv is the default. */
export function sendsPictures(sdp: string): boolean {
  const [session = '', ...media] = sdp.split(/^(?=m=)/m)
  const direction = (part: string) => /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/m.exec(part)?.[1]
  const general = direction(session) ?? 'sendrecv'
  return media.some((part) => {
    if (!part.startsWith('m=video ') || part.startsWith('m=video 0 ')) return false
    return ['sendrecv', 'sendonly'].includes(direction(part) ?? general)
  })
}
