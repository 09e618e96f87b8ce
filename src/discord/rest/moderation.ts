import { z } from 'zod'
import type { PublicUser } from '../../core/schema.ts'
import { membership } from '../../features/access/guard.ts'
import type { Ban, Member } from '../../features/members/model.ts'
import type { Role } from '../../features/roles/model.ts'
import { parleyBits } from '../permissions.ts'
import { Unknown } from '../refusals.ts'
import { roleOf } from '../shapes/guilds.ts'
import { memberOf, userOf } from '../shapes/users.ts'
import { numberIn, parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { pictureIn, withPicture } from './pictures.ts'
import { reasonOf } from './reasons.ts'
import { roleOrderRoutes } from './role-order.ts'
import { route } from './router.ts'
import { actInVoice, VoiceFields } from './voice-acts.ts'

// Members, bans and roles of a server.

const PAGE_MAX = 100

const serverPath = async (call: Call): Promise<string> => `/api/servers/${await call.id('server', 'guild')}`
async function memberPath(call: Call): Promise<string> {
  const userId = call.param('user') === '@me' ? call.me.id : await call.id('user', 'user', 'member')
  return `${await serverPath(call)}/members/${userId}`
}

const showMember = (call: Call, { user, ...member }: Member): Promise<object> =>
  call.resolve((of) => memberOf(of, user, member))

const MemberEdit = VoiceFields.extend({
  nick: z.string().nullish(),
  roles: z.array(z.string()).max(250).nullish(),
  communication_disabled_until: z.string().nullish(),
})

/** Gives and takes the roles in which the member differs from a list. */
async function setRoles(call: Call, path: string, snowflakes: string[]): Promise<void> {
  const wantedIds = new Set(await call.findSome('role', snowflakes))
  const roles = await call.own<Role[]>('GET', `${path}/roles`)
  const heldIds = new Set(roles.filter(({ is_everyone }) => !is_everyone).map(({ id }) => id))
  for (const id of wantedIds.difference(heldIds)) await call.own('POST', `${path}/roles/${id}`)
  for (const id of heldIds.difference(wantedIds)) await call.own('DELETE', `${path}/roles/${id}`)
}

async function editMember(call: Call): Promise<Reply> {
  const path = await memberPath(call)
  const body = parseBody(MemberEdit, call.body)
  const [server_id = 0, user_id = 0] = path.split('/').flatMap((part) => Number(part) || [])
  // An edit of nothing answers the member too, and only to members.
  await membership(call.tools.parts.sql, server_id, call.me.id)
  await actInVoice(call, { server_id, user_id }, body)
  if (body.roles) await setRoles(call, path, body.roles)
  const { nick, communication_disabled_until: until } = body
  const change = {
    ...(nick === undefined ? {} : { nickname: nick || null }),
    ...(until === undefined ? {} : { timed_out_until: until, ...reasonOf(call) }),
  }
  if (Object.keys(change).length > 0) return showMember(call, await call.own<Member>('PUT', path, change))
  return call.resolve((of) => {
    const account = of.fact('account', user_id)
    const member = of.fact('member', `${server_id}:${user_id}`)
    return account && member ? memberOf(of, account, member) : {}
  })
}

/** The bot's own nickname, as older libraries set it. */
async function editOwnNick(call: Call): Promise<Reply> {
  const { nick } = parseBody(z.object({ nick: z.string().nullish() }), call.body)
  await call.own('PUT', `${await serverPath(call)}/members/${call.me.id}`, { nickname: nick || null })
  return { nick: nick || null }
}

const BanBody = z.object({
  delete_message_seconds: z.int().min(0).max(604_800).nullish(),
  delete_message_days: z.int().min(0).max(7).nullish(),
  reason: z.string().nullish(),
})

const BulkBan = BanBody.extend({ user_ids: z.array(z.string()).max(200) })

/** Bans one after another; one that is refused does not stop the others. */
async function banSome(call: Call): Promise<Reply> {
  const { user_ids, delete_message_seconds: seconds } = parseBody(BulkBan, call.body)
  const path = `${await serverPath(call)}/bans`
  const change = { ...reasonOf(call), ...(seconds ? { delete_message_seconds: seconds } : {}) }
  const banned: string[] = []
  let refusal: unknown = new Unknown('user')
  for (const snowflake of user_ids)
    try {
      await call.own('PUT', `${path}/${await call.find('user', snowflake)}`, change)
      banned.push(snowflake)
    } catch (error) {
      refusal = error
    }
  if (banned.length === 0) throw refusal
  return { banned_users: banned, failed_users: user_ids.filter((id) => !banned.includes(id)) }
}

async function ban(call: Call): Promise<Reply> {
  const path = `${await serverPath(call)}/bans/${await call.id('user')}`
  const body = parseBody(BanBody, call.body)
  const seconds = body.delete_message_seconds ?? (body.delete_message_days ?? 0) * 86_400
  await call.own('PUT', path, {
    ...(body.reason ? { reason: body.reason.slice(0, 512) } : reasonOf(call)),
    ...(seconds > 0 ? { delete_message_seconds: seconds } : {}),
  })
  return undefined
}

const showBan = (call: Call, bans: Ban[]): Promise<object[]> =>
  call.resolve((of) => bans.map(({ reason, user }) => ({ reason, user: userOf(of, user) })))

async function listBans(call: Call): Promise<Reply> {
  const limit = numberIn(call.query, 'limit', PAGE_MAX) ?? PAGE_MAX
  const after = call.query.get('after')
  const cursor = after ? await call.cursor('user', 'after', after) : ''
  return showBan(call, await call.own<Ban[]>('GET', `${await serverPath(call)}/bans?limit=${limit}${cursor}`))
}

async function getBan(call: Call): Promise<Reply> {
  const id = await call.id('user', 'user', 'ban')
  const around = `${await serverPath(call)}/bans?limit=1&after=${id - 1}`
  const bans = await call.own<Ban[]>('GET', around)
  const [first] = await showBan(
    call,
    bans.filter(({ user }: { user: PublicUser }) => user.id === id),
  )
  if (!first) throw new Unknown('ban')
  return first
}

const RoleBody = z.object({
  name: z.string().nullish(),
  color: z.int().min(0).max(0xffffff).nullish(),
  colors: z.object({ primary_color: z.int().min(0).max(0xffffff).nullish() }).nullish(),
  permissions: z.union([z.string(), z.number()]).nullish(),
  hoist: z.boolean().nullish(),
  mentionable: z.boolean().nullish(),
  icon: z.string().nullish(),
})

/** The fields of a role as Parley's API takes them; absent ones stay absent. */
function roleFields(body: z.infer<typeof RoleBody>) {
  const color = body.colors?.primary_color ?? body.color
  return {
    ...(body.name === null || body.name === undefined ? {} : { name: body.name }),
    // Discord's colour 0 is none.
    ...(color === null || color === undefined
      ? {}
      : { color: color === 0 ? null : `#${color.toString(16).padStart(6, '0')}` }),
    ...(body.permissions === null || body.permissions === undefined
      ? {}
      : { permissions: parleyBits(body.permissions) }),
    ...(typeof body.hoist === 'boolean' ? { hoist: body.hoist } : {}),
    ...(typeof body.mentionable === 'boolean' ? { mentionable: body.mentionable } : {}),
  }
}

const showRole = (call: Call, role: Role): Promise<object> => call.resolve((of) => roleOf(of, role))

/** Gives a role the picture that a library sends as a data URI. Null removes it. */
async function withIcon(call: Call, role: Role, icon: string | null | undefined): Promise<Role> {
  const path = `/api/roles/${role.id}/icon`
  if (icon === undefined || (icon === null && role.icon_url === null)) return role
  if (icon === null) return call.own<Role>('DELETE', path)
  return withPicture(call, 'file_id', icon, (fields) => call.own<Role>('PUT', path, fields))
}

async function createRole(call: Call): Promise<Reply> {
  const body = parseBody(RoleBody, call.body)
  if (body.icon) pictureIn(body.icon)
  const fields = { name: 'new role', ...roleFields(body) }
  const role = await call.own<Role>('POST', `${await serverPath(call)}/roles`, fields)
  try {
    return await showRole(call, await withIcon(call, role, body.icon))
  } catch (error) {
    // The program hears of a failure, so there must be no role.
    await call.own('DELETE', `/api/roles/${role.id}`)
    throw error
  }
}

async function editRole(call: Call): Promise<Reply> {
  const body = parseBody(RoleBody, call.body)
  const path = `/api/roles/${await call.id('role')}`
  const fields = roleFields(body)
  // A refused picture changes nothing else.
  const role = await withIcon(call, await call.own<Role>('GET', path), body.icon)
  return showRole(call, Object.keys(fields).length > 0 ? await call.own<Role>('PUT', path, fields) : role)
}

export const moderationRoutes = [
  route('PATCH', '/guilds/:guild/members/:user', 'member', editMember),
  route('PATCH', '/guilds/:guild/members/@me/nick', 'member', editOwnNick),
  route('DELETE', '/guilds/:guild/members/:user', 'member', async (call) => {
    await call.own('DELETE', await memberPath(call), reasonOf(call))
    return undefined
  }),
  ...['PUT', 'DELETE'].map((method) =>
    route(method, '/guilds/:guild/members/:user/roles/:role', 'role', async (call) => {
      const path = `${await memberPath(call)}/roles/${await call.id('role')}`
      await call.own(method === 'PUT' ? 'POST' : 'DELETE', path)
      return undefined
    }),
  ),
  route('POST', '/guilds/:guild/bulk-ban', 'server', banSome),
  route('GET', '/guilds/:guild/bans', 'server', listBans),
  route('GET', '/guilds/:guild/bans/:user', 'ban', getBan),
  route('PUT', '/guilds/:guild/bans/:user', 'user', ban),
  route('DELETE', '/guilds/:guild/bans/:user', 'ban', async (call) => {
    await call.own('DELETE', `${await serverPath(call)}/bans/${await call.id('user', 'user', 'ban')}`)
    return undefined
  }),
  route('POST', '/guilds/:guild/roles', 'server', createRole),
  ...roleOrderRoutes,
  route('GET', '/guilds/:guild/roles/:role', 'role', async (call) =>
    showRole(call, await call.own<Role>('GET', `/api/roles/${await call.id('role')}`)),
  ),
  route('PATCH', '/guilds/:guild/roles/:role', 'role', editRole),
  route('DELETE', '/guilds/:guild/roles/:role', 'role', async (call) => {
    await call.own('DELETE', `/api/roles/${await call.id('role')}`)
    return undefined
  }),
]
