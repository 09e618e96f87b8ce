import { expect } from 'bun:test'
import type { Parley } from '../../src/parley.ts'
import { Person } from './harness.ts'

/** Durable events that only bots receive. */
export const FOR_BOTS = new Set([
  'ban.created',
  'ban.deleted',
  'audit.created',
  'webhooks.updated',
  'pins.updated',
  'event.attendee',
  'automod.created',
  'automod.updated',
  'automod.deleted',
])

/** An application of the owner's: its bot, which calls by its token. */
export async function botOf(owner: Person, name: string): Promise<Person> {
  const response = await owner.post('/api/applications', { name })
  expect(response.status).toBe(201)
  const { id, token } = response.body
  return new Person(owner.parley, id, `bot:${id}`, `bot:${id}`, name, token)
}

/** Adds a bot to a server, with these permissions of its own. */
export async function addBot(manager: Person, serverId: number, bot: Person, permissions = 0): Promise<void> {
  const added = await manager.put(`/api/servers/${serverId}/applications/${bot.id}`, { permissions })
  expect([added.status, added.body.code]).toEqual([201, undefined])
}

/**
 * Lets bots answer the interactions of a server for minutes. Otherwise they have 3 s, in which a program on a busy
 * machine may not run at all. What has been answered has its real age again: follow-ups come after it.
 */
export async function unhurried({ parts: { sql } }: Parley): Promise<void> {
  await sql`create or replace function begin_later() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        new.created_at := new.created_at + interval '5 minutes';
      elsif new.is_answered and not old.is_answered then
        new.created_at := new.created_at - interval '5 minutes';
      end if;
      return new;
    end $$`
  await sql`create or replace trigger begin_later before insert or update on interactions
    for each row execute function begin_later()`
}
