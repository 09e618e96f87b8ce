import { found } from '../../core/errors.ts'
import type { Parts } from '../../parts.ts'
import { field } from '../../http/answers.ts'
import { emitUserUpdated } from '../accounts/profile.ts'
import { audit } from '../audit/record.ts'
import { removeFile } from '../files/access.ts'
import { storeBytes } from '../files/store-bytes.ts'
import { auditFields, emitWebhooks, webhookOf } from './change.ts'
import { type Hook, holdHook } from './door.ts'

/** Changes that a webhook makes to itself; absent fields stay unchanged. */
interface OwnChange {
  name?: string | undefined
  /** Null removes it. */
  avatar?: { type: string; bytes: Uint8Array } | null | undefined
}

/**
 * Changes a webhook, authenticated by its URL. The audit log names the webhook itself as the actor; its picture counts
 * as its creator's upload.
 * @throws Problem `validation_failed` for an invalid picture, `not_found`, and those of storeBytes
 */
export async function changeItself(parts: Parts, admittedHook: Hook, { name, avatar }: OwnChange): Promise<Hook> {
  const picture = avatar ? await storePicture(parts, admittedHook, avatar) : avatar
  return parts.write(async (sql, emit) => {
    await sql`select share_channel(c) from channels c where c.id = ${admittedHook.channel_id}`
    const hook = await holdHook(sql, admittedHook)
    const before = await webhookOf(sql, hook.id)
    const change = {
      ...(name === undefined ? {} : { display_name: name }),
      ...(picture === undefined ? {} : { avatar_file_id: picture }),
    }
    if (Object.keys(change).length === 0) return hook
    await sql`update users set ${sql(change)}, updated_at = now() where id = ${hook.id}`
    await emitUserUpdated(sql, emit, hook.id)
    const after = await webhookOf(sql, hook.id)
    const entry = { server_id: hook.server_id, actor_id: hook.id, action: 'webhook.updated' as const }
    await audit(sql, entry, ['webhook', hook.id], auditFields(before), auditFields(after))
    await emitWebhooks(sql, emit, hook.server_id, [hook.channel_id])
    return { ...hook, name: after.name, avatar_file_id: after.avatar_file_id }
  })
}

/**
 * Deletes a webhook, authenticated by its URL; its messages stay. The audit log names the webhook itself as the actor.
 * @throws Problem `not_found`
 */
export const deleteItself = (parts: Parts, admittedHook: Hook): Promise<void> =>
  parts.write(async (sql, emit) => {
    await sql`select share_channel(c) from channels c where c.id = ${admittedHook.channel_id}`
    // Take the strong lock first: two requests with a shared lock could not upgrade it.
    await sql`select 1 from webhooks where id = ${admittedHook.id} for update`
    const { id, server_id } = await holdHook(sql, admittedHook)
    const before = await webhookOf(sql, id)
    // Before the deletion, because the entry refers to the webhook. Its account stays, as the author of its messages.
    await audit(sql, { server_id, actor_id: id, action: 'webhook.deleted' }, ['webhook', id], auditFields(before), null)
    await sql`delete from webhooks where id = ${id}`
    await emitWebhooks(sql, emit, server_id, [before.channel_id])
  })

async function storePicture(
  parts: Parts,
  { creator_id }: Hook,
  { type, bytes }: { type: string; bytes: Uint8Array },
): Promise<number> {
  const refusal = field('avatar', 'Must be a picture')
  if (bytes.length === 0) throw refusal
  await parts.space.demand()
  const id = await storeBytes(parts, creator_id, { filename: 'avatar', content_type: type.toLowerCase(), bytes })
  const [file] = await parts.sql<{ width: number | null }[]>`select width from files where id = ${id}`
  if (found(file).width !== null) return id
  await parts.write((sql, emit) => removeFile(sql, emit, id))
  throw refusal
}
