import { permissions } from '../../src/core/permissions.ts'
import { type Person, newServer } from './harness.ts'
import { deleteAccountOf, peopleWithPassword } from './people.ts'
import { png, upload } from './uploads.ts'
import { inVoice } from './voice-people.ts'

/** A client that acknowledges what it has read. */
export interface Reader {
  who: Person
  messages: Map<number, { id?: number; channel_id?: number }>
  gateway: { command(op: 'channel.ack', d: { channel_id: number; message_id: number }): Promise<unknown> }
}

export interface World {
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

/** A random generator with a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

async function stickerOf(world: World, who: Person, pick: Pick): Promise<number> {
  const { status, body } = await who.get(`/api/servers/${pick(world.servers)}/stickers`)
  return (status === 200 ? pick<{ id: number }>(body)?.id : undefined) ?? 1
}

async function emojiOf(world: World, who: Person, pick: Pick): Promise<number> {
  const { status, body } = await who.get(`/api/servers/${pick(world.servers)}/emoji`)
  return (status === 200 ? pick<{ id: number }>(body)?.id : undefined) ?? 1
}

/** A call of a group, which one of those who are called declines; it is over when this ends. */
export async function callAndLeave(
  caller: Person,
  decliner: Person,
  channel_id: number,
  meanwhile: () => Promise<void>,
) {
  const { gateway } = await inVoice(caller, channel_id)
  await decliner.post(`/api/channels/${channel_id}/call/decline`)
  await meanwhile()
  await gateway.command('voice.leave')
  await gateway.next('message.created', ({ d }) => d.kind === 'call')
  gateway.close()
}

/** Every action, by name. The server decides which are allowed. */
export const happenings: Record<string, (world: World, who: Person, pick: Pick, n: number) => Promise<unknown>> = {
  server: async (world, who) => {
    const { server_id, channel_id } = await newServer(who)
    world.servers.push(server_id)
    world.channels.push(channel_id)
  },
  rename: (world, who, pick, n) => who.put(`/api/servers/${pick(world.servers)}`, { name: `Server ${n}` }),
  transfer: (world, who, pick) =>
    who.post(`/api/servers/${pick(world.servers)}/transfer`, { user_id: pick(world.people)?.id }),
  'delete server': (world, who, pick, n) =>
    n % 4 === 0 ? who.delete(`/api/servers/${pick(world.servers)}`) : Promise.resolve(),
  channel: async (world, who, pick, n) => {
    const { status, body } = await who.post(`/api/servers/${pick(world.servers)}/channels`, {
      name: `channel ${n}`,
      type: n % 4 === 0 ? 'category' : n % 3 === 0 ? 'voice' : 'text',
    })
    if (status === 201) world.channels.push(body.id)
  },
  'move between categories': async (world, who, pick, n) => {
    const channels = (await who.get(`/api/servers/${pick(world.servers)}/channels`)).body
    if (!Array.isArray(channels)) return
    const [category, channel] = ['category', 'text'].map((type) => pick(channels.filter((row) => row.type === type)))
    const parent_id = n % 3 === 0 ? null : (category?.id ?? null)
    const order = [{ id: channel?.id ?? 1, parent_id, position: n % 3 }]
    return n % 2
      ? who.put(`/api/servers/${channel?.server_id ?? 1}/channels/order`, order)
      : who.put(`/api/channels/${channel?.id ?? 1}`, { parent_id })
  },
  'rename channel': (world, who, pick, n) => who.put(`/api/channels/${pick(world.channels)}`, { topic: `Topic ${n}` }),
  'move channel': (world, who, pick, n) => who.put(`/api/channels/${pick(world.channels)}`, { position: n % 4 }),
  'delete channel': (world, who, pick) => who.delete(`/api/channels/${pick(world.channels)}`),
  invite: async (world, who, pick) => {
    const { status, body } = await who.post('/api/invites', { server_id: pick(world.servers) })
    if (status === 201) world.invites.push(body)
  },
  'delete invite': (world, who, pick) => who.delete(`/api/invites/${pick(world.invites)?.id ?? 1}`),
  join: (world, who, pick) => who.post(`/api/invites/${pick(world.invites)?.code ?? 'none'}/join`),
  leave: (world, who, pick) => who.delete(`/api/servers/${pick(world.servers)}/members/@me`),
  kick: (world, who, pick) => who.delete(`/api/servers/${pick(world.servers)}/members/${pick(world.people)?.id}`),
  ban: (world, who, pick) => who.put(`/api/servers/${pick(world.servers)}/bans/${pick(world.people)?.id}`, {}),
  pardon: (world, who, pick) => who.delete(`/api/servers/${pick(world.servers)}/bans/${pick(world.people)?.id}`),
  role: async (world, who, pick, n) => {
    const bits = permissions('manage_server', 'manage_messages', 'view_channel')
    const draft = { name: `Role ${n}`, permissions: n % 2 ? bits : 0 }
    const { status, body } = await who.post(`/api/servers/${pick(world.servers)}/roles`, draft)
    if (status === 201) world.roles.push(body.id)
  },
  'edit role': (world, who, pick, n) =>
    who.put(`/api/roles/${pick(world.roles) ?? 1}`, {
      permissions: n % 2 ? permissions('manage_server') : permissions('kick_members'),
      position: n % 3,
    }),
  'delete role': (world, who, pick) => who.delete(`/api/roles/${pick(world.roles) ?? 1}`),
  grant: (world, who, pick) =>
    who.post(`/api/servers/${pick(world.servers)}/members/${pick(world.people)?.id}/roles/${pick(world.roles) ?? 1}`),
  take: (world, who, pick) =>
    who.delete(`/api/servers/${pick(world.servers)}/members/${pick(world.people)?.id}/roles/${pick(world.roles) ?? 1}`),
  overwrite: async (world, who, pick, n) => {
    const channel_id = pick(world.channels)
    const { status, body } = await who.get(`/api/channels/${channel_id}`)
    const roles = status === 200 && body.server_id ? (await who.get(`/api/servers/${body.server_id}/roles`)).body : []
    const view = permissions('view_channel')
    const draft = n % 3 === 0 ? { allow: view } : n % 3 === 1 ? { deny: view } : { deny: permissions('send_messages') }
    return who.put(`/api/channels/${channel_id}/permissions/${pick<{ id: number }>(roles)?.id ?? 1}`, draft)
  },
  'lift overwrite': async (world, who, pick) => {
    const channel_id = pick(world.channels)
    const { status, body } = await who.get(`/api/channels/${channel_id}/permissions`)
    const row = status === 200 ? pick<{ role_id: number }>(body) : undefined
    return who.delete(`/api/channels/${channel_id}/permissions/${row?.role_id ?? 1}`)
  },
  nickname: (world, who, pick, n) =>
    who.put(`/api/servers/${pick(world.servers)}/members/${pick(world.people)?.id}`, {
      nickname: n % 3 ? `Nick ${n}` : null,
    }),
  'time out': (world, who, pick, n) =>
    who.put(`/api/servers/${pick(world.servers)}/members/${pick(world.people)?.id}`, {
      timed_out_until: n % 2 ? new Date(Date.now() + 3_600_000 + n * 10).toISOString() : null,
    }),
  quarantine: (world, who, pick, n) =>
    who.put(`/api/servers/${pick(world.servers)}/members/${pick(world.people)?.id}`, {
      held_back: n % 2 ? 'quarantined' : null,
    }),
  ask: (world, who, pick) => who.post('/api/friends/request', { friend_id: pick(world.people)?.id }),
  answer: (world, who, pick, n) =>
    who.post(`/api/friends/${pick(world.people)?.id}/${['accept', 'decline', 'cancel'][n % 3]}`),
  unfriend: (world, who, pick) => who.delete(`/api/friends/${pick(world.people)?.id}`),
  block: (world, who, pick) => who.post(`/api/friends/${pick(world.people)?.id}/block`),
  unblock: (world, who, pick) => who.post(`/api/friends/${pick(world.people)?.id}/unblock`),
  whisper: async (world, who, pick, n) => {
    const draft = { recipient_id: pick(world.people)?.id, content: `Whisper ${n}` }
    const { status, body } = await who.post('/api/dm/messages', draft)
    if (status === 201) world.directs.push(body.id)
  },
  'edit whisper': (world, who, pick, n) =>
    who.put(`/api/dm/messages/${pick(world.directs) ?? 1}`, { content: `Edited whisper ${n}` }),
  'unsay whisper': (world, who, pick) => who.delete(`/api/dm/messages/${pick(world.directs) ?? 1}`),
  'read whisper': (world, who, pick) => who.post(`/api/dm/messages/${pick(world.directs) ?? 1}/read`),
  'read all whispers': (world, who, pick) => who.post(`/api/dm/${pick(world.people)?.id}/read-all`),
  gather: async (world, who, _pick, n) => {
    const others = world.people.filter((other) => other !== who).map((other) => other.id)
    const { status, body } = await who.post('/api/channels/direct', { recipient_ids: others, nonce: `${n % 20}` })
    if (status === 201) world.channels.push(body.id)
  },
  'enter a dm': async (world, who, pick) => {
    const { status, body } = await who.post('/api/channels/direct', { recipient_ids: [pick(world.people)?.id] })
    if (status < 300 && !world.channels.includes(body.id)) world.channels.push(body.id)
  },
  add: (world, who, pick) => who.put(`/api/channels/${pick(world.channels)}/recipients/${pick(world.people)?.id}`),
  remove: (world, who, pick) =>
    who.delete(`/api/channels/${pick(world.channels)}/recipients/${pick(world.people)?.id}`),
  'name a group': (world, who, pick, n) => who.put(`/api/channels/${pick(world.channels)}`, { name: `Group ${n}` }),
  'want requests': (_world, who, _pick, n) => who.put('/api/auth/privacy', { requests: n % 2 === 0 }),
  'answer a request': (world, who, pick, n) =>
    who.put(`/api/dm/${pick(world.people)?.id}/request`, { state: n % 2 ? 'accepted' : 'ignored' }),
  hide: (world, who, pick) => who.delete(`/api/dm/${pick(world.people)?.id}/hide`),
  // Somebody joins, meets `who`, and deletes the account, while other actions go on.
  mayfly: async (world, who, pick, n) => {
    const [fly] = await peopleWithPassword(who.parley, 'mayfly')
    await fly.post(`/api/invites/${pick(world.invites)?.code ?? 'none'}/join`)
    await fly.post('/api/friends/request', { friend_id: who.id })
    if (n % 2) await who.post(`/api/friends/${fly.id}/accept`)
    await Promise.all([
      ...world.channels.map((id) => fly.post(`/api/channels/${id}/messages`, { content: `Mayfly ${n}` })),
      fly.post('/api/dm/messages', { recipient_id: who.id, content: `Mayfly ${n}` }),
      who.post('/api/dm/messages', { recipient_id: fly.id, content: `Mayfly ${n}?` }),
    ])
    await deleteAccountOf(fly)
  },
  name: (_stage, who, _pick, n) => who.put('/api/auth/display-name', { display_name: `Name ${n}` }),
  say: async (world, who, pick, n) => {
    const path = `/api/channels/${pick(world.channels)}/messages`
    const { status, body } = await who.post(path, { content: `Message ${n} for <@${pick(world.people)?.id}>` })
    if (status === 201) world.messages.push(body.id)
  },
  edit: (world, who, pick, n) => who.put(`/api/messages/${pick(world.messages) ?? 1}`, { content: `Edited ${n}` }),
  react: (world, who, pick, n) =>
    who.put(`/api/messages/${pick(world.messages) ?? 1}/reactions/${['👍', '🦉', '🐦'][n % 3]}/@me`),
  'take back': (world, who, pick, n) =>
    who.delete(`/api/messages/${pick(world.messages) ?? 1}/reactions/${['👍', '🦉', '🐦'][n % 3]}/@me`),
  'clear reactions': (world, who, pick, n) =>
    who.delete(`/api/messages/${pick(world.messages) ?? 1}/reactions${n % 2 ? '' : '/👍'}`),
  pin: (world, who, pick) => {
    const [channel_id, id] = [pick(world.channels), pick(world.messages)]
    return who.put(`/api/channels/${channel_id}/pins/${id ?? 1}`)
  },
  unpin: (world, who, pick) => who.delete(`/api/channels/${pick(world.channels)}/pins/${pick(world.messages) ?? 1}`),
  forward: async (world, who, pick) => {
    const draft = { forward_message_id: pick(world.messages) ?? 1 }
    const { status, body } = await who.post(`/api/channels/${pick(world.channels)}/messages`, draft)
    if (status === 201) world.messages.push(body.id)
  },
  'delete several': (world, who, pick) => {
    const ids = [...new Set([pick(world.messages) ?? 1, pick(world.messages) ?? 1])]
    return who.post(`/api/channels/${pick(world.channels)}/messages/bulk-delete`, { ids })
  },
  'hide previews': (world, who, pick, n) =>
    who.put(`/api/messages/${pick(world.messages) ?? 1}/embeds/suppressed`, { suppressed: n % 2 === 0 }),
  slowmode: (world, who, pick, n) =>
    who.put(`/api/channels/${pick(world.channels)}`, { slowmode_seconds: n % 4 === 0 ? 1 : 0 }),
  'new emoji': async (world, who, pick, n) => {
    const { id: file_id } = await upload(who, 'owl.png', 'image/png', await png(8, 8))
    return who.post(`/api/servers/${pick(world.servers)}/emoji`, { name: `owl_${n % 10}`, file_id })
  },
  'rename emoji': async (world, who, pick, n) =>
    who.put(`/api/emoji/${await emojiOf(world, who, pick)}`, { name: `heron_${n % 10}` }),
  'delete emoji': async (world, who, pick) => who.delete(`/api/emoji/${await emojiOf(world, who, pick)}`),
  'new sticker': async (world, who, pick, n) => {
    const { id: file_id } = await upload(who, 'otter.png', 'image/png', await png(8, 8))
    const draft = { name: `Otter ${n % 10}`, alt: 'An otter', file_id }
    return who.post(`/api/servers/${pick(world.servers)}/stickers`, draft)
  },
  'send sticker': async (world, who, pick) =>
    who.post(`/api/channels/${pick(world.channels)}/messages`, { sticker_id: await stickerOf(world, who, pick) }),
  'delete sticker': async (world, who, pick) => who.delete(`/api/stickers/${await stickerOf(world, who, pick)}`),
  report: (world, who, pick) => who.post(`/api/messages/${pick(world.messages) ?? 1}/reports`, { reason: 'spam' }),
  unsay: (world, who, pick) => who.delete(`/api/messages/${pick(world.messages) ?? 1}`),
  read: async (world, who, pick) => {
    const client = world.clients.find((candidate) => candidate.who === who)
    const message = pick([...(client?.messages.values() ?? [])])
    const d = message && { channel_id: message.channel_id ?? 0, message_id: message.id ?? 0 }
    // The channel may be deleted meanwhile.
    if (d) await client?.gateway.command('channel.ack', d).catch(() => undefined)
  },
  'begin again': async (world, who, pick) => {
    const message_id = pick(world.messages) ?? 1
    const { status, body } = await who.get(`/api/messages/${message_id}`)
    if (status === 200) await who.post(`/api/channels/${body.channel_id}/unread`, { message_id })
  },
  'read a server': (world, who, pick) => who.post(`/api/servers/${pick(world.servers)}/read-all`),
  'mute a channel': (world, who, pick, n) => {
    const path = `/api/notifications/channels/${pick(world.channels)}`
    return n % 3 === 0 ? who.delete(path) : who.put(path, { suppress_everyone: n % 2 === 0 })
  },
  'mute a server': (world, who, pick, n) => {
    const path = `/api/notifications/servers/${pick(world.servers)}`
    return n % 3 === 0 ? who.delete(path) : who.put(path, { level: n % 2 === 0 ? 'all' : 'nothing' })
  },
}
/** The actions that happen more often than the others. */
export const usual = [
  'say',
  'say',
  'say',
  'edit',
  'react',
  'react',
  'react',
  'take back',
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
