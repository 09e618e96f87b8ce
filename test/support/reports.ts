import { expect } from 'bun:test'
import { type Person, say } from './harness.ts'

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

/** A report and a warning, step by step. */
export function aboutReports(
  alice: Person,
  bob: Person,
  carol: Person,
  { server_id, channel_id }: Record<string, number>,
) {
  const warnings = `/api/servers/${server_id}/members/${carol.id}/warnings`
  const own = '/api/users/@me/warnings'
  return {
    'bob reports carol': async () => report(bob, (await say(carol, channel_id ?? 0, 'Buy feathers')).id),
    'alice resolves it': async () => {
      const [{ id }] = await reportsOf(alice, server_id ?? 0)
      await alice.put(`/api/reports/${id}`, { state: 'resolved' })
    },
    'her last messages go': async () => {
      const until = new Date(Date.now() + 86_400_000).toISOString()
      const timeout = { timed_out_until: until, delete_messages_hours: 1 }
      await alice.put(`/api/servers/${server_id}/members/${carol.id}`, timeout)
      await alice.parley.sweep()
    },
    'she may write again': () => alice.put(`/api/servers/${server_id}/members/${carol.id}`, { timed_out_until: null }),
    'and warns carol': () => alice.post(warnings, { reason: 'No feathers' }),
    'carol reads the warning': async () => carol.post(`${own}/${(await carol.get(own)).body[0].id}/read`),
    'alice takes it back': async () => alice.delete(`/api/cases/${(await carol.get(own)).body[0].id}`),
  }
}
