/**
 * The newest timeline of each PostgreSQL cluster that this process knows of. A standby that is promoted begins a new
 * timeline. So a server of an earlier one is a former primary that still runs, or was started again without becoming a
 * standby: what is written there is lost. The driver asks each server that it connects to, and leaves such ones out.
 */

/** A server, by the identity that it shares with its standbys, and its timeline. Null where it may not be asked. */
export interface ServerTimeline {
  system: string | null
  timeline: number | null
}

/** By the identity of the cluster. */
const newest = new Map<string, number>()

/** Thrown if the server of a connection is a former primary. */
export class FormerPrimary extends Error {
  constructor() {
    super('The server is a former primary: another one has taken over, and what is written here would be lost')
  }
}

const isFormer = ({ system, timeline }: Partial<ServerTimeline>): boolean =>
  system !== null && timeline !== null && (timeline ?? 0) < (newest.get(system ?? '') ?? 0)

/** The driver's view: patches/postgres@3.4.9.patch asks each new server `question`, once something is known. */
export const servers = {
  question: `select log_timeline() as timeline, (select system_identifier::text from pg_control_system()) as system`,
  isVetted: () => newest.size > 0,
  isFormer,
}

/**
 * Notes the timeline of a server that has answered.
 * @returns true if it is the newest one that this process knows of, and was not known before
 * @throws FormerPrimary if the cluster has a newer one
 */
export function noteTimeline(server: ServerTimeline): boolean {
  if (isFormer(server)) throw new FormerPrimary()
  const { system, timeline } = server
  if (system === null || timeline === null || newest.get(system) === timeline) return false
  newest.set(system, timeline)
  return true
}

/** Another process has seen a server of this timeline. Earlier ones, and what is no number, change nothing. */
export function learnTimeline(system: string, timeline: number): void {
  if (timeline > (newest.get(system) ?? 0) && Number.isSafeInteger(timeline)) newest.set(system, timeline)
}
