import { expect } from 'bun:test'
import type { Person } from './harness.ts'

/** Reports a message, which has to succeed. */
export async function report(who: Person, messageId: number, reason = 'spam', note?: string): Promise<void> {
  const answer = await who.post(`/api/messages/${messageId}/reports`, {
    reason,
    ...(note === undefined ? {} : { note }),
  })
  expect(answer.status).toBe(204)
}

/** The reports of a server that the member sees, newest first. */
export async function reportsOf(who: Person, serverId: number, query = ''): Promise<any[]> {
  const answer = await who.get(`/api/servers/${serverId}/reports${query}`)
  expect(answer.status).toBe(200)
  return answer.body
}
