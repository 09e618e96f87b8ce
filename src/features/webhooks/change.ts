import { createHash, randomBytes } from 'node:crypto'
import { found, Problem } from '../../core/errors.ts'
import type { Sql, Transaction } from '../../database/database.ts'
import type { Emit } from '../../events/write.ts'
import { field } from '../../http/answers.ts'
import { unusableHash } from '../accounts/passwords.ts'
import { botsIn } from '../access/bots.ts'
import { emitUserUpdated } from '../accounts/profile.ts'
import { audit } from '../audit/record.ts'
import { lockPicture } from '../files/access.ts'
import { demand, serverOf, visibleChannel } from '../access/guard.ts'
import { isSpoken } from '../access/model.ts'
import { HOOKS_PATH, type IssuedWebhook, type Webhook, WEBHOOKS_PER_CHANNEL_MAX } from './model.ts'

const TOKEN_BYTES = 32

/** The hash under which a token is stored. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Webhooks `w`. @param where a condition on them, their channel `c` and their account `u`, with its order */
export const selectWebhooks = (sql: Sql, where: ReturnType<Sql>) => sql<Webhook[]>`
  select w.id, c.server_id, w.channel_id, u.display_name as name, u.avatar_file_id,
    (select public_user(made) from users made where made.id = w.creator_id) as creator, w.mentions_everyone,
    w.created_at
  from webhooks w join users u on u.id = w.id join channels c on c.id = w.channel_id where ${where}`

export const webhookOf = async (sql: Sql, id: number): Promise<Webhook> =>
  found((await selectWebhooks(sql, sql`w.id = ${id}`))[0])

/**
 * Locks a channel for changes of its webhooks: until the commit access to its server does not change, the caller stays
 * a member, and nobody else creates webhooks there.
 * @returns the server's id, and the caller's permissions in the channel
 * @throws Problem `not_found`, `missing_permission`; `forbidden` for a category or thread
 */
async function lockChannel(sql: Transaction, channel_id: number, userId: number) {
  await sql`select share_channel(c) from channels c where c.id = ${channel_id}`
  const channel = await visibleChannel(sql, channel_id, userId)
  const server_id = serverOf(channel, 'manage_webhooks')
  demand(channel.permissions, 'manage_webhooks')
  if (channel.type !== 'text' && !isSpoken(channel.type))
    throw new Problem(
      'forbidden',
      'Webhooks can only be created in text and voice channels; these also post in threads there',
    )
  // Lock the membership: if it ends at the same time, the webhook's URL ends too.
  found((await sql`select 1 from members where server_id = ${server_id} and user_id = ${userId} for key share`)[0])
  await sql`select 1 from channels where id = ${channel_id} for no key update`
  return { server_id, permissions: channel.permissions }
}

/** @throws Problem `too_many_webhooks`; the caller has locked the channel */
async function demandFreeSlot(sql: Transaction, channel_id: number): Promise<void> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from webhooks where channel_id = ${channel_id}`
  if (found(row).count >= WEBHOOKS_PER_CHANNEL_MAX) throw new Problem('too_many_webhooks')
}

/**
 * The webhook that a member manages, with its channel locked.
 * @throws Problem `not_found` also if the caller does not see its channel; `missing_permission`
 */
async function lockedWebhook(sql: Transaction, id: number, userId: number) {
  const [row] = await sql<{ channel_id: number }[]>`select channel_id from webhooks where id = ${id}`
  const { channel_id } = found(row)
  const place = await lockChannel(sql, channel_id, userId)
  // The webhook may have moved to another channel meanwhile.
  const [lockedRow] = await sql`select 1 from webhooks where id = ${id} and channel_id = ${channel_id} for update`
  found(lockedRow)
  return { before: await webhookOf(sql, id), ...place }
}

/** Issues a new token for a webhook. @returns the webhook with its URL */
async function issue(sql: Transaction, webhook: Webhook, base: string): Promise<IssuedWebhook> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await sql`insert into webhook_tokens (webhook_id, hash) values (${webhook.id}, ${hashOf(token)})
    on conflict (webhook_id) do update set hash = excluded.hash`
  return { ...webhook, url: `${base}${HOOKS_PATH}/${webhook.id}/${token}` }
}

/** The webhook as recorded in the audit log. */
export const auditFields = ({ creator, ...webhook }: Webhook) => ({ ...webhook, creator_id: creator?.id ?? null })

/** The member who makes a change, and the origin in the URL. */
interface Actor {
  id: number
  base: string
}

/**
 * Creates a webhook with its own account.
 * @throws Problem `not_found`, `missing_permission`, `forbidden`, `too_many_webhooks`
 */
export async function createWebhook(
  sql: Transaction,
  emit: Emit,
  actor: Actor,
  channel_id: number,
  { name, avatar_file_id }: { name: string; avatar_file_id: number | null },
): Promise<IssuedWebhook> {
  const { server_id } = await lockChannel(sql, channel_id, actor.id)
  await demandFreeSlot(sql, channel_id)
  const picture = avatar_file_id === null ? null : await lockPicture(sql, avatar_file_id, actor.id)
  // Nobody can log in with these, because a username never contains a colon.
  const unused = `webhook:${crypto.randomUUID()}`
  const [account] = await sql<{ id: number }[]>`
    insert into users (username, email, password_hash, display_name, avatar_file_id, kind, deleted_at)
    values (${unused}, ${unused}, ${unusableHash}, ${name}, ${picture}, 'webhook', now()) returning id`
  const { id } = found(account, 'internal')
  await sql`insert into webhooks ${sql({ id, channel_id, creator_id: actor.id })}`
  const webhook = await webhookOf(sql, id)
  await audit(
    sql,
    { server_id, actor_id: actor.id, action: 'webhook.created' },
    ['webhook', id],
    null,
    auditFields(webhook),
  )
  await emitWebhooks(sql, emit, server_id, [channel_id])
  return issue(sql, webhook, actor.base)
}

/**
 * Changes a webhook. A new name or picture is published to its server.
 * @throws Problem `not_found`, `missing_permission`, `forbidden`, `too_many_webhooks`, `validation_failed`
 */
export async function changeWebhook(
  sql: Transaction,
  emit: Emit,
  me: number,
  id: number,
  change: { name?: string; avatar_file_id?: number | null; channel_id?: number; mentions_everyone?: boolean },
): Promise<Webhook> {
  const { before, server_id, permissions } = await lockedWebhook(sql, id, me)
  const { name = before.name, channel_id = before.channel_id, mentions_everyone = before.mentions_everyone } = change
  let channelPermissions = permissions
  if (channel_id !== before.channel_id) {
    const target = await lockChannel(sql, channel_id, me)
    if (target.server_id !== server_id) throw field('channel_id', 'Must be a channel of this server')
    await demandFreeSlot(sql, channel_id)
    channelPermissions = target.permissions
  }
  if (mentions_everyone && (change.mentions_everyone || channel_id !== before.channel_id))
    demand(channelPermissions, 'mention_everyone')
  const { avatar_file_id = before.avatar_file_id } = change
  const isNew = avatar_file_id !== null && avatar_file_id !== before.avatar_file_id
  if (isNew) await lockPicture(sql, avatar_file_id, me)
  await sql`update users set display_name = ${name}, avatar_file_id = ${avatar_file_id}, updated_at = now()
    where id = ${id}`
  await sql`update webhooks set ${sql({ channel_id, mentions_everyone })} where id = ${id}`
  if (name !== before.name || avatar_file_id !== before.avatar_file_id) await emitUserUpdated(sql, emit, id)
  const after = await webhookOf(sql, id)
  await audit(
    sql,
    { server_id, actor_id: me, action: 'webhook.updated' },
    ['webhook', id],
    auditFields(before),
    auditFields(after),
  )
  await emitWebhooks(sql, emit, server_id, [before.channel_id, channel_id])
  return after
}

/** Publishes that the webhooks of channels have changed, to the bots that may list them. */
export async function emitWebhooks(
  sql: Transaction,
  emit: Emit,
  server_id: number,
  channelIds: number[],
): Promise<void> {
  for (const channel_id of new Set(channelIds))
    emit(await botsIn(sql, server_id, channel_id, 'manage_webhooks'), 'webhooks.updated', { server_id, channel_id })
}

/**
 * Renews the URL of a webhook, and revokes the old one. Anybody with the URL can do everything that the webhook can.
 * @throws Problem `not_found`, `missing_permission`
 */
export async function rotateWebhook(sql: Transaction, actor: Actor, id: number): Promise<IssuedWebhook> {
  const { before, server_id, permissions } = await lockedWebhook(sql, id, actor.id)
  if (before.mentions_everyone) demand(permissions, 'mention_everyone')
  await sql`update webhooks set creator_id = ${actor.id} where id = ${id}`
  const after = await webhookOf(sql, id)
  const entry = { server_id, actor_id: actor.id, action: 'webhook.rotated' as const }
  await audit(sql, entry, ['webhook', id], auditFields(before), auditFields(after))
  return issue(sql, after, actor.base)
}

/** Deletes a webhook; its messages stay. @throws Problem `not_found`, `missing_permission` */
export async function deleteWebhook(sql: Transaction, emit: Emit, me: number, id: number): Promise<void> {
  const { before, server_id } = await lockedWebhook(sql, id, me)
  await sql`delete from webhooks where id = ${id}`
  await audit(sql, { server_id, actor_id: me, action: 'webhook.deleted' }, ['webhook', id], auditFields(before), null)
  await emitWebhooks(sql, emit, server_id, [before.channel_id])
}
