import { createHmac } from 'node:crypto'
import type { Sql, Transaction } from '../../database/database.ts'
import { Problem } from '../../core/errors.ts'
import { latinOf } from '../../core/look-alikes.ts'
import type { Parts } from '../../parts.ts'
import { addressKey } from '../sessions/address.ts'

/** Guests of a server whose accounts have not ended. */
const GUESTS_PER_SERVER_MAX = 50
/** How long a server lets in no guests from the address of one that was expelled, or left timed out or quarantined. */
const DOOR_HOURS = 24

/** The key of an address at the door of a server: nobody who reads the database learns the address by trying them. */
export function doorKey({ secrets }: Pick<Parts, 'secrets'>, serverId: number, ip: string): Buffer {
  const key = createHmac('sha256', secrets.jwt).update('guest doors').digest()
  return createHmac('sha256', key)
    .update(`${serverId} ${addressKey(ip)}`)
    .digest()
}

/** A condition on guests `g`: timed out or quarantined. */
const isLimited = (sql: Sql) => sql`(
  exists (select from timeouts t where t.server_id = g.server_id and t.user_id = g.user_id and t.until > now())
  or exists (select from quarantines q where q.server_id = g.server_id and q.user_id = g.user_id
    and coalesce(q.until > now(), true)))`

/**
 * Demands that the locked server takes another guest of this name from this address.
 * @throws Problem `guests_closed`, `too_many_guests`, `name_taken`
 */
export async function demandGuest(sql: Transaction, server_id: number, name: string, address: Buffer): Promise<void> {
  const [shut] = await sql`
    select 1 from guest_doors where server_id = ${server_id} and address = ${address} and until > now()
    union all
    select 1 from guests g where server_id = ${server_id} and address = ${address} and ${isLimited(sql)} limit 1`
  if (shut) throw new Problem('guests_closed')
  const [row] = await sql<{ guests: number }[]>`
    select count(*)::int as guests from members where server_id = ${server_id} and is_guest`
  if ((row?.guests ?? 0) >= GUESTS_PER_SERVER_MAX) throw new Problem('too_many_guests')
  if (await isNameOfMember(sql, server_id, name)) throw new Problem('name_taken')
}

/** True if a member's name or nickname folds to the same text, as it is or with Latin letters for look-alikes. */
async function isNameOfMember(sql: Sql, serverId: number, name: string): Promise<boolean> {
  const [row] = await sql<{ taken: boolean }[]>`
    select exists (
      select from unnest(${[name, latinOf(name)]}::text[]) as sought (name)
      join users u on name_key(u.display_name) collate "C" = name_key(sought.name) collate "C" and u.deleted_at is null
      join members m on m.user_id = u.id and m.server_id = ${serverId}
    ) or exists (
      select from unnest(${[name, latinOf(name)]}::text[]) as sought (name)
      join members m on m.server_id = ${serverId} and m.nickname is not null
        and name_key(m.nickname) = name_key(sought.name)
    ) as taken`
  return row?.taken === true
}

interface Leaving {
  server_id: number
  user_id: number
  /** True if a moderator ended the membership. */
  isExpelled: boolean
}

/**
 * Shuts the server's door to the address of a guest that stops being one, if a moderator ended its membership or it is
 * timed out or quarantined: it would come again without that. Does nothing for other accounts.
 */
export async function shutDoor(sql: Transaction, { server_id, user_id, isExpelled }: Leaving): Promise<void> {
  await sql`insert into guest_doors (server_id, address, until)
    select server_id, address, now() + ${DOOR_HOURS} * interval '1 hour' from guests g
    where user_id = ${user_id} and server_id = ${server_id} and (${isExpelled} or ${isLimited(sql)})
    on conflict (server_id, address) do update set until = excluded.until`
}

/**
 * Ends the account of a guest whose membership has ended, and shuts the server's door to it where shutDoor says so.
 * Does nothing for other accounts.
 */
export async function endGuest(sql: Transaction, leaving: Leaving): Promise<void> {
  const { user_id } = leaving
  await shutDoor(sql, leaving)
  await sql`update users set guest_until = least(guest_until, now())
    where id = ${user_id} and kind = 'guest' and deleted_at is null`
}
