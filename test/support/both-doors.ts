import { expect } from 'bun:test'
import { EVERYONE_PERMISSIONS, type Permission, permissions, without } from '../../src/core/permissions.ts'
import type { CommandName } from '../../src/gateway/model.ts'
import { addBot, botOf } from './bots.ts'
import { snowflakeOf } from './discord.ts'
import { boot, newServer, type Person, person, say } from './harness.ts'
import { connect } from './socket.ts'

// A bot has the same rights through both doors: each act is tried by bots of different rights on our own API and on
// Discord's, in scenes of their own, and both must be allowed or both refused.

export const parley = await boot()
export const alice = await person(parley, 'alice')
export const bob = await person(parley, 'bob')
export const bot = await botOf(alice, 'Acting')

/** A server with a bot, and things in it that acts are about. */
export async function scene(rights: Permission[] | 'outside') {
  const { server_id, channel_id } = await newServer(alice, bob)
  const { body: roles } = await alice.get(`/api/servers/${server_id}/roles`)
  const everyone = roles.find((role: any) => role.is_everyone)
  // Rights that every member has by default would hide the bot's own.
  const bare = without(EVERYONE_PERMISSIONS, without(EVERYONE_PERMISSIONS, permissions('view_channel', 'read_history')))
  await alice.put(`/api/roles/${everyone.id}`, { permissions: bare })
  const { body: role } = await alice.post(`/api/servers/${server_id}/roles`, { name: 'Keepers' })
  const message = await say(alice, channel_id, 'A kingfisher')
  const { body: thread } = await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Herons' })
  const { body: channel } = await alice.get(`/api/channels/${channel_id}`)
  const { body: server } = await alice.get(`/api/servers/${server_id}`)
  if (rights !== 'outside') await addBot(alice, server_id, bot, permissions(...rights))
  const { body: own } = await alice.get(`/api/servers/${server_id}/roles`)
  // The bot's role stands above the others, so that rank does not decide.
  const botRole = own.find((one: any) => one.bot_id === bot.id)
  if (botRole) await alice.put(`/api/roles/${botRole.id}`, { position: own.length - 1 })
  const { body: user } = await alice.get(`/api/servers/${server_id}/members?limit=10`)
  const bobRow = user.find((one: any) => one.user.id === bob.id)
  return { bot, server, channel, role, message, thread, bobRow }
}
export type Scene = Awaited<ReturnType<typeof scene>>

export interface Act {
  needs: Permission[]
  /** Makes what the act is about, if the scene does not have it. */
  prepare?(scene: Scene): Promise<{ id: number; created_at: string }>
  /** A request, or a command of the gateway. */
  own(scene: Scene, more: number): [method: string, path: string, body?: object] | { op: CommandName; d: object }
  discord(
    scene: Scene,
    ids: Record<'guild' | 'channel' | 'message' | 'role' | 'user' | 'thread' | 'more', string>,
  ): [string, string, object?]
}

/** A command of the bot's on our gateway, as a request would be answered. */
async function commandStatus(person: Person, op: CommandName, d: object): Promise<number> {
  const gateway = await connect(person)
  const { error } = await gateway.command(op, d)
  gateway.close()
  return error ? 400 : 200
}

async function status(
  person: Person,
  [method, path, body]: [string, string, object?],
  prefix: string,
): Promise<number> {
  const response = await fetch(parley.url + prefix + path, {
    method,
    headers: { authorization: `Bot ${person.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  await response.text()
  return response.status
}

const idsOf = ({ server, channel, message, role, thread, bobRow }: Scene) => ({
  thread: snowflakeOf(thread),
  guild: snowflakeOf(server),
  channel: snowflakeOf(channel),
  message: snowflakeOf({ id: message.id, created_at: message.created_at }),
  role: snowflakeOf(role),
  user: snowflakeOf({ id: bobRow.user.id, created_at: bobCreatedAt }),
})
const [{ created_at: bobCreatedAt }] = (await parley.parts
  .sql`select created_at from users where id = ${bob.id}`) as any

/** A refused act changes nothing, so these two scenes serve all acts. */
const [bare, outside] = [await scene([]), await scene('outside')]

const ownStatus = (person: Person, request: ReturnType<Act['own']>): Promise<number> =>
  'op' in request ? commandStatus(person, request.op, request.d) : status(person, request, '')

/** The statuses of an act on our own API and on Discord's. */
const outcomesOf = async (act: Act, own: Scene, discord: Scene) => {
  const [ownMore, discordMore] = [await act.prepare?.(own), await act.prepare?.(discord)]
  const ids = { ...idsOf(discord), more: discordMore ? snowflakeOf(discordMore) : '' }
  return [
    await ownStatus(own.bot, act.own(own, ownMore?.id ?? 0)),
    await status(discord.bot, act.discord(discord, ids), '/discord/api/v10'),
  ]
}
const classesOf = (outcomes: number[]) => outcomes.map((code) => Math.floor(code / 100))

/** Expects that a bot needs the same for an act through both doors. */
export async function expectSameRights(act: Act): Promise<void> {
  const refused = act.needs.length > 0 ? [4, 4] : [2, 2]
  expect(classesOf(await outcomesOf(act, bare, bare))).toEqual(refused)
  expect(classesOf(await outcomesOf(act, outside, outside))).toEqual([4, 4])
  const allowed = await outcomesOf(act, await scene(act.needs), await scene(act.needs))
  const [own, discord] = classesOf(allowed)
  expect([allowed, own]).toEqual([allowed, discord])
  // Nobody edits what another wrote, and a bot's role is not above everything.
  if (!act.needs.includes('administrator')) expect([allowed, own]).toEqual([allowed, 2])
}
