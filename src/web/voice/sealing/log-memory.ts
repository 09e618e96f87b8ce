import type { LogPoint } from './device-log.ts'

/**
 * Accounts whose logs a device remembers. Beyond it, the one whose log changed longest ago is forgotten, but never one
 * that the person has verified.
 */
export const LOGS_REMEMBERED_MAX = 1_000

/** The remembered states with one more, or a newer one. @param verified accounts that are never forgotten */
export function withPoint(
  points: ReadonlyMap<number, LogPoint>,
  userId: number,
  point: LogPoint,
  verified: ReadonlySet<number>,
): Map<number, LogPoint> {
  const next = new Map(points)
  // The newest comes last.
  next.delete(userId)
  next.set(userId, point)
  for (const id of points.keys()) {
    if (next.size <= LOGS_REMEMBERED_MAX) break
    if (id !== userId && !verified.has(id)) next.delete(id)
  }
  return next
}
