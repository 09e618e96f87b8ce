import { permissions } from '../../src/core/permissions.ts'
import { type Person, room } from './harness.ts'
import { deleteAccountOf, peopleWithPassword } from './people.ts'

/** A client that acknowledges what it has read. */
export interface Reader {
  who: Person
  messages: Map<number, { id?: number; channel_id?: number }>
  gateway: { command(op: 'channel.ack', d: { channel_id: number; message_id: number }): Promise<unknown> }
}

export interface Stage {
  people: Person[]
  servers: number[]
  channels: number[]
  messages: number[]
  invites: { id: number; code: string }[]
  roles: number[]
  /** Direct messages. */
  directs: number[]
  clients: Reader[]
}
export type Pick = <T>(list: T[]) => T | undefined

/** Numbers that a seed decides (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Everything that can happen; whether it is allowed is the server's affair. */
export const happenings: Record<string, (stage: Stage, who: Person, pick: Pick, n: number) => Promise<unknown>> = {
  server: async (stage, who) => {
    const { server_id, channel_id } = await room(who)
    stage.servers.push(server_id)
    stage.channels.push(channel_id)
  },
  rename: (stage, who, pick, n) => who.put(`/api/servers/${pick(stage.servers)}`, { name: `Server ${n}` }),
  transfer: (stage, who, pick) =>
    who.post(`/api/servers/${pick(stage.servers)}/transfer`, { user_id: pick(stage.people)?.id }),
  'delete server': (stage, who, pick, n) =>
    n % 4 === 0 ? who.delete(`/api/servers/${pick(stage.servers)}`) : Promise.resolve(),
  channel: async (stage, who, pick, n) => {
    const { status, body } = await who.post(`/api/servers/${pick(stage.servers)}/channels`, {
      name: `channel ${n}`,
      type: n % 3 === 0 ? 'voice' : 'text',
    })
    if (status === 201) stage.channels.push(body.id)
  },
  'rename channel': (stage, who, pick, n) => who.put(`/api/channels/${pick(stage.channels)}`, { topic: `Topic ${n}` }),
  'move channel': (stage, who, pick, n) => who.put(`/api/channels/${pick(stage.channels)}`, { position: n % 4 }),
  'delete channel': (stage, who, pick) => who.delete(`/api/channels/${pick(stage.channels)}`),
  invite: async (stage, who, pick) => {
    const { status, body } = await who.post('/api/invites', { server_id: pick(stage.servers) })
    if (status === 201) stage.invites.push(body)
  },
  'delete invite': (stage, who, pick) => who.delete(`/api/invites/${pick(stage.invites)?.id ?? 1}`),
  join: (stage, who, pick) => who.post(`/api/invites/${pick(stage.invites)?.code ?? 'none'}/join`),
  leave: (stage, who, pick) => who.delete(`/api/servers/${pick(stage.servers)}/members/@me`),
  kick: (stage, who, pick) => who.delete(`/api/servers/${pick(stage.servers)}/members/${pick(stage.people)?.id}`),
  ban: (stage, who, pick) => who.put(`/api/servers/${pick(stage.servers)}/bans/${pick(stage.people)?.id}`, {}),
  pardon: (stage, who, pick) => who.delete(`/api/servers/${pick(stage.servers)}/bans/${pick(stage.people)?.id}`),
  role: async (stage, who, pick, n) => {
    const bits = permissions('manage_server', 'manage_messages', 'view_channel')
    const draft = { name: `Role ${n}`, permissions: n % 2 ? bits : 0 }
    const { status, body } = await who.post(`/api/servers/${pick(stage.servers)}/roles`, draft)
    if (status === 201) stage.roles.push(body.id)
  },
  'edit role': (stage, who, pick, n) =>
    who.put(`/api/roles/${pick(stage.roles) ?? 1}`, {
      permissions: n % 2 ? permissions('manage_server') : permissions('kick_members'),
      position: n % 3,
    }),
  'delete role': (stage, who, pick) => who.delete(`/api/roles/${pick(stage.roles) ?? 1}`),
  grant: (stage, who, pick) =>
    who.post(`/api/servers/${pick(stage.servers)}/members/${pick(stage.people)?.id}/roles/${pick(stage.roles) ?? 1}`),
  take: (stage, who, pick) =>
    who.delete(`/api/servers/${pick(stage.servers)}/members/${pick(stage.people)?.id}/roles/${pick(stage.roles) ?? 1}`),
  overwrite: async (stage, who, pick, n) => {
    const channel_id = pick(stage.channels)
    const { status, body } = await who.get(`/api/channels/${channel_id}`)
    const roles = status === 200 ? (await who.get(`/api/servers/${body.server_id}/roles`)).body : []
    const view = permissions('view_channel')
    const draft = n % 3 === 0 ? { allow: view } : n % 3 === 1 ? { deny: view } : { deny: permissions('send_messages') }
    return who.put(`/api/channels/${channel_id}/permissions/${pick<{ id: number }>(roles)?.id ?? 1}`, draft)
  },
  'lift overwrite': async (stage, who, pick) => {
    const channel_id = pick(stage.channels)
    const { status, body } = await who.get(`/api/channels/${channel_id}/permissions`)
    const row = status === 200 ? pick<{ role_id: number }>(body) : undefined
    return who.delete(`/api/channels/${channel_id}/permissions/${row?.role_id ?? 1}`)
  },
  ask: (stage, who, pick) => who.post('/api/friends/request', { friend_id: pick(stage.people)?.id }),
  answer: (stage, who, pick, n) =>
    who.post(`/api/friends/${pick(stage.people)?.id}/${['accept', 'decline', 'cancel'][n % 3]}`),
  unfriend: (stage, who, pick) => who.delete(`/api/friends/${pick(stage.people)?.id}`),
  block: (stage, who, pick) => who.post(`/api/friends/${pick(stage.people)?.id}/block`),
  unblock: (stage, who, pick) => who.post(`/api/friends/${pick(stage.people)?.id}/unblock`),
  whisper: async (stage, who, pick, n) => {
    const draft = { recipient_id: pick(stage.people)?.id, content: `Whisper ${n}` }
    const { status, body } = await who.post('/api/dm/messages', draft)
    if (status === 201) stage.directs.push(body.id)
  },
  'edit whisper': (stage, who, pick, n) =>
    who.put(`/api/dm/messages/${pick(stage.directs) ?? 1}`, { content: `Edited whisper ${n}` }),
  'unsay whisper': (stage, who, pick) => who.delete(`/api/dm/messages/${pick(stage.directs) ?? 1}`),
  'read whisper': (stage, who, pick) => who.post(`/api/dm/messages/${pick(stage.directs) ?? 1}/read`),
  'read all whispers': (stage, who, pick) => who.post(`/api/dm/${pick(stage.people)?.id}/read-all`),
  hide: (stage, who, pick) => who.delete(`/api/dm/${pick(stage.people)?.id}/hide`),
  // Somebody comes, meets `who`, and deletes the account, while all else goes on.
  mayfly: async (stage, who, pick, n) => {
    const [fly] = await peopleWithPassword(who.parley, 'mayfly')
    await fly.post(`/api/invites/${pick(stage.invites)?.code ?? 'none'}/join`)
    await fly.post('/api/friends/request', { friend_id: who.id })
    if (n % 2) await who.post(`/api/friends/${fly.id}/accept`)
    await Promise.all([
      ...stage.channels.map((id) => fly.post(`/api/channels/${id}/messages`, { content: `Mayfly ${n}` })),
      fly.post('/api/dm/messages', { recipient_id: who.id, content: `Mayfly ${n}` }),
      who.post('/api/dm/messages', { recipient_id: fly.id, content: `Mayfly ${n}?` }),
    ])
    await deleteAccountOf(fly)
  },
  name: (_stage, who, _pick, n) => who.put('/api/auth/display-name', { display_name: `Name ${n}` }),
  say: async (stage, who, pick, n) => {
    const path = `/api/channels/${pick(stage.channels)}/messages`
    const { status, body } = await who.post(path, { content: `Message ${n} for <@${pick(stage.people)?.id}>` })
    if (status === 201) stage.messages.push(body.id)
  },
  edit: (stage, who, pick, n) => who.put(`/api/messages/${pick(stage.messages) ?? 1}`, { content: `Edited ${n}` }),
  unsay: (stage, who, pick) => who.delete(`/api/messages/${pick(stage.messages) ?? 1}`),
  read: async (stage, who, pick) => {
    const client = stage.clients.find((candidate) => candidate.who === who)
    const message = pick([...(client?.messages.values() ?? [])])
    const d = message && { channel_id: message.channel_id ?? 0, message_id: message.id ?? 0 }
    if (d) await client?.gateway.command('channel.ack', d)
  },
}
/** What happens more often than the rest. */
export const usual = [
  'say',
  'say',
  'say',
  'edit',
  'unsay',
  'read',
  'read',
  'join',
  'join',
  'invite',
  'channel',
  'move channel',
  'role',
  'grant',
  'overwrite',
  'lift overwrite',
  'ask',
  'answer',
  'answer',
  'unblock',
  'whisper',
  'whisper',
  'edit whisper',
  'unsay whisper',
  'read whisper',
]
