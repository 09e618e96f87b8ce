import { expect } from 'bun:test'
import type { Person } from './harness.ts'

/** A field that changed. */
export const was = (before: unknown, after: unknown) => ({ before, after })

/** An entry of the audit log as tests compare it. */
export const entry = (action: string, target: unknown[], changes: object) => ({ action, target, changes })

/** The audit logs of servers that an account reads, and acts in. */
export function auditLogOf(actor: Person) {
  const log = async (server_id: number, who: Person = actor) =>
    (await who.get(`/api/servers/${server_id}/audit-log`)).body

  /** Expects the newest entry to be the account's, with this action, target and changes. */
  async function isNewest(server_id: number, expected: object): Promise<void> {
    const [newest] = await log(server_id)
    expect(newest).toMatchObject({ server_id, actor: { id: actor.id, display_name: actor.display_name } })
    const { action, target_type, target_id, changes } = newest
    expect({ action, target: [target_type, target_id], changes }).toEqual(expected as any)
  }

  /** Runs an action of the account; its entry is the newest. @returns the answer's body */
  async function leaves(server_id: number, action: Promise<{ status: number; body: any }>, expected: object) {
    const { status, body } = await action
    expect(status).toBeLessThan(300)
    await isNewest(server_id, expected)
    return body
  }

  return { log, isNewest, leaves }
}
