import { cut } from '../../features/webhooks/payload.ts'
import type { Call } from './call.ts'

const REASON_LENGTH_MAX = 512

/**
 * The reason that a library sends along, percent-encoded. It is noted with each entry that the request makes in the
 * audit log. Characters that no text has are left out.
 */
export function reasonIn(headers: Headers): string | undefined {
  const header = headers.get('x-audit-log-reason')
  return header ? cut(decoded(header), REASON_LENGTH_MAX).trim() || undefined : undefined
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header)
  } catch {
    return header
  }
}

/** The reason as a field of a body of our own API, for acts that also tell the person of it. */
export const reasonOf = ({ reason }: Call): { reason?: string } => (reason === undefined ? {} : { reason })
