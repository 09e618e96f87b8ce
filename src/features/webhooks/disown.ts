import type { Transaction } from '../../database/database.ts'

/**
 * Transfers the webhooks that an account created or renewed last to the owners of their servers, and revokes their
 * URLs, because the account could go on posting with them. A member who manages webhooks can renew the URLs.
 * @param serverId of this server; null for all
 */
export async function disownWebhooks(sql: Transaction, creatorId: number, serverId: number | null): Promise<void> {
  await sql`with moved as (
      update webhooks w set creator_id = s.owner_id from channels c join servers s on s.id = c.server_id
      where c.id = w.channel_id and w.creator_id = ${creatorId}
        and (${serverId}::bigint is null or s.id = ${serverId}) returning w.id)
    delete from webhook_tokens where webhook_id in (select id from moved)`
}
