import { permissions } from '../../src/core/permissions.ts'
import type { Parley } from '../../src/parley.ts'
import { type Person, newServer, say, until } from './harness.ts'

/** The server publishes changed threads and lost originals of forwards within seconds. */
export const published = ({ parts: { sql } }: Parley) =>
  until(async () => {
    const due = await sql`select 1 from thread_changes where not is_told
      union all select 1 from messages where forwarded_id is not null and not message_stands(forwarded_id)
      union all select 1 from files f where f.copied_from is not null and not copy_stands(f)`
    return due.length === 0
  })

/** Threads of a channel, step by step. */
export function inThreads(alice: Person, bob: Person, carol: Person): Record<string, () => Promise<unknown>> {
  let home = { server_id: 0, channel_id: 0, everyone: 0 }
  let [start, id, other] = [0, 0, 0]
  const at = () => `/api/channels/${id}`
  const begin = async (who: Person, message_id?: number) =>
    (await who.post(`/api/channels/${home.channel_id}/threads`, { name: 'Kingfishers', message_id })).body.id
  const see = (deny: number) => alice.put(`/api/channels/${home.channel_id}/permissions/${home.everyone}`, { deny })
  return {
    'a place': async () => {
      const { server_id, channel_id } = await newServer(alice, bob, carol)
      const [everyone] = (await alice.get(`/api/servers/${server_id}/roles`)).body
      home = { server_id, channel_id, everyone: everyone.id }
    },
    'alice says something': async () => void (start = (await say(alice, home.channel_id, 'A kingfisher')).id),
    'bob begins a thread at it': async () => void (id = await begin(bob, start)),
    'bob writes there': () => say(bob, id, 'Where?'),
    'he mentions carol': () => say(bob, id, `<@${carol.id}> look`),
    'carol reads it and follows no more': () => carol.delete(`${at()}/followers/@me`),
    'alice follows': () => alice.put(`${at()}/followers/@me`),
    'bob renames it': () => bob.put(at(), { name: 'Halcyons' }),
    'he archives it': () => bob.put(at(), { archived: true }),
    'carol brings it back': () => say(carol, id, 'I know'),
    'alice locks it': () => alice.put(at(), { locked: true }),
    'alice edits the message at which it began': () => alice.put(`/api/messages/${start}`, { content: 'Two of them' }),
    'the channel is hidden': () => see(permissions('view_channel')),
    'alice writes there meanwhile': () => say(alice, id, 'Psst'),
    'the channel is open again': () => see(0),
    'alice unsays the first message': () => alice.delete(`/api/messages/${start}`),
    'carol begins another': async () => void (other = await begin(carol)),
    'carol deletes it': () => carol.delete(`/api/channels/${other}`),
    'bob leaves': () => bob.delete(`/api/servers/${home.server_id}/members/@me`),
    'the channel goes': () => alice.delete(`/api/channels/${home.channel_id}`),
  }
}
