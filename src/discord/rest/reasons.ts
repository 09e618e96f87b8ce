import type { Call } from './call.ts'

/** The reason that a library sends along, percent-encoded. */
export function reasonOf({ reason }: Call): { reason?: string } {
  if (!reason) return {}
  try {
    return { reason: decodeURIComponent(reason).slice(0, 512) }
  } catch {
    return { reason: reason.slice(0, 512) }
  }
}
