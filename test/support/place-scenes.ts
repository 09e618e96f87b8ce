import { randomUUID } from 'node:crypto'
import { expect } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { hook } from './authorisation-webhooks.ts'
import { command, type World } from './authorisation-rows.ts'
import type { Parley } from '../../src/parley.ts'
import type { Person } from './harness.ts'
import { deleteAccountOf, peopleWithPassword } from './people.ts'
import { place, rank } from './places.ts'
import { cleanUp } from './deadlocks.ts'

/** Places in which messages are, or which contain such channels. */
export const placeTypes = ['text', 'voice', 'category', 'forum', 'thread', 'dm', 'group'] as const
export type PlaceType = (typeof placeTypes)[number]

/**
 * Callers in alice's places. `participant` is in her dms and groups, but in none of her servers. `blocked` is in all of
 * them, and alice blocks this account. `former` has left the server and the group. `friend` is a friend of alice's and
 * in no place. The others are members: `beginner` has started the thread; `moderator`, `timed_out` and those who are
 * held back have a moderator's permissions, and so has `guest` without the mask; `silent` may only see and read, and
 * `blind` sees nothing.
 */
export const placeCallers = [
  'participant',
  'former',
  'friend',
  'member',
  'beginner',
  'moderator',
  'silent',
  'timed_out',
  'pending',
  'unverified',
  'quarantined',
  'guest',
  'blocked',
  'blind',
  'stranger',
  'deleted',
] as const
export type PlaceCaller = (typeof placeCallers)[number]

/** Callers by type of place: ranks of members exist only in servers, and `participant` only in dms and groups. */
export const callersIn = (type: PlaceType): PlaceCaller[] =>
  type === 'dm' || type === 'group'
    ? ['participant', 'former', 'friend', 'member', 'blocked', 'stranger', 'deleted']
    : placeCallers.filter((caller) => caller !== 'participant')

/** A place with a message of alice's, which has a file; nothing in a category or forum. */
export interface Scene {
  type: PlaceType
  id: number
  message_id: number
  file_id: number
  alice: Person
  /** A role below all those of callers who hold something. */
  role_id: number
  /** Makes a webhook of a channel of the server's. @returns its id */
  webhook: () => Promise<number>
  /** A command of a bot in the server. */
  command_id: number
}

const SEES = permissions('view_channel', 'read_history', 'connect')
const WRITES =
  SEES +
  permissions(
    'send_messages',
    'attach_files',
    'add_reactions',
    'use_commands',
    'create_threads',
    'send_in_threads',
    'speak',
  )
const MODERATES =
  WRITES +
  permissions(
    'manage_messages',
    'manage_threads',
    'manage_channels',
    'manage_roles',
    'manage_webhooks',
    'pin_messages',
    'moderate_members',
  )

/** The places of the table, with everyone who calls there; all by SQL. */
export class PlaceScenes {
  private constructor(
    readonly people: Record<PlaceCaller, Person>,
    private readonly alice: Person,
    private readonly home: { server_id: number; role_id: number; channel_id: number; command_id: number },
    /** Alice's dms, by the other one. */
    private readonly dms = new Map<number, number>(),
    /** The other places, by type and caller. */
    private readonly places = new Map<string, Promise<number>>(),
  ) {}

  static async open(parley: Parley): Promise<PlaceScenes> {
    const { sql } = parley.parts
    const [alice, ...others] = await peopleWithPassword(parley, 'alice', ...placeCallers)
    const people = Object.fromEntries(placeCallers.map((name, i) => [name, others[i]])) as Record<PlaceCaller, Person>
    const { former, participant, friend, stranger: _, deleted, ...members } = people
    const { server_id, channel_id, everyone } = await place(alice as Person, former, ...Object.values(members))
    await sql`delete from members where server_id = ${server_id} and user_id = ${former.id}`
    await sql`update roles set permissions = 0 where id = ${everyone}`
    const { silent, member, beginner, blocked, moderator, timed_out, pending, unverified, quarantined, guest } = members
    const heldBack = { pending, unverified, quarantined }
    const role_id = await rank(parley, server_id, SEES, silent)
    await rank(parley, server_id, WRITES, member, beginner, blocked)
    await rank(parley, server_id, MODERATES, moderator, timed_out, guest, ...Object.values(heldBack))
    await sql`insert into timeouts values (${server_id}, ${timed_out.id}, now() + interval '1 day')`
    for (const [reason, { id }] of Object.entries(heldBack))
      await sql`update members set held_back = ${reason} where server_id = ${server_id} and user_id = ${id}`
    await sql`update members set is_guest = true where server_id = ${server_id} and user_id = ${guest.id}`
    await sql`update users set kind = 'guest', guest_until = now() + interval '1 day' where id = ${guest.id}`
    const world = { sql, server_id, channel_id, target: alice } as World
    const command_id = (await command(world)).body as { command_id: number }
    await sql`insert into member_roles (server_id, user_id, role_id)
      select m.server_id, m.user_id, ${role_id} from members m join applications a on a.id = m.user_id
      where m.server_id = ${server_id}`
    const home = { server_id, role_id, channel_id, ...command_id }
    const scenes = new PlaceScenes(people, alice as Person, home)
    for (const who of [participant, blocked, deleted]) await scenes.#openDm(who)
    await scenes.#tie(friend)
    await scenes.#tie(former)
    expect((await (alice as Person).post(`/api/friends/${blocked.id}/block`)).status).toBe(200)
    expect((await deleteAccountOf(deleted)).status).toBe(204)
    return scenes
  }

  get #sql() {
    return this.alice.parley.parts.sql
  }

  async #tie(who: Person): Promise<void> {
    const [low, high] = [this.alice.id, who.id].toSorted((a, b) => a - b)
    await this.#sql`insert into relations ${this.#sql({ low, high, bond: 'friends' } as object)}`
  }

  async #openDm(who: Person): Promise<void> {
    await this.#tie(who)
    const { status, body } = await this.alice.post('/api/channels/direct', { recipient_ids: [who.id] })
    expect(status).toBe(201)
    this.dms.set(who.id, body.id)
  }

  /** A place of the type for this caller, with a new message. */
  async scene(type: PlaceType, caller: PlaceCaller): Promise<Scene> {
    const partner = this.people[this.dms.has(this.people[caller].id) ? caller : 'participant']
    const id = await this.#place(type, caller, partner)
    const { role_id, command_id, channel_id } = this.home
    const webhook = async () => (await hook({ sql: this.#sql, channel_id, owner: this.alice })).id
    const scene = { type, id, role_id, command_id, webhook, alice: this.alice }
    if (type === 'category' || type === 'forum') return { ...scene, message_id: 0, file_id: 0 }
    const recipientId = type === 'dm' ? partner.id : null
    // As an upload and a send do. In one transaction, it could deadlock with one that deletes a channel and its files.
    const [file] = await this.#sql<[{ id: number }]>`
      insert into files (uploader_id, filename, content_type, size, key)
      values (${this.alice.id}, 'owl.txt', 'text/plain', 3, ${`files/${randomUUID()}`}) returning id`
    const [row] = await this.#sql.begin(async (sql) => {
      // So that two in the same dm do not wait for each other.
      await sql`select from channels where id = ${id} for no key update`
      return sql<[{ message_id: number; file_id: number }]>`
        with sent as (
          insert into messages (channel_id, author_id, recipient_id, content)
          values (${id}, ${this.alice.id}, ${recipientId}, 'Hello') returning id
        )
        update files set message_id = sent.id from sent where files.id = ${file.id}
        returning message_id, files.id as file_id`
    })
    return { ...scene, ...row }
  }

  /** Removes the places except dms, so that the next ones are new. */
  async clear(): Promise<void> {
    this.places.clear()
    const { server_id, channel_id } = this.home
    await cleanUp(
      () => this.#sql`delete from channels where id <> ${channel_id}
        and (server_id = ${server_id} or type = 'group' and owner_id = ${this.alice.id})`,
    )
  }

  #place(type: PlaceType, caller: PlaceCaller, partner: Person): number | Promise<number> {
    if (type === 'dm') return this.dms.get(partner.id) as number
    const key = `${type} ${caller}`
    const place = this.places.get(key) ?? this.#channel(type)
    this.places.set(key, place)
    return place
  }

  async #channel(type: Exclude<PlaceType, 'dm'>): Promise<number> {
    const { server_id, channel_id } = this.home
    const draft = {
      text: { server_id },
      voice: { server_id },
      category: { server_id },
      forum: {
        server_id,
        tags: this.#sql.json([]),
        tag_required: false,
        guidelines: '',
        default_sort: 'latest',
        layout: 'list',
        post_slowmode_seconds: 0,
        archive_after_seconds: 3600,
      },
      thread: {
        server_id,
        parent_id: channel_id,
        owner_id: this.people.beginner.id,
        active_at: new Date(),
        archive_after_seconds: 3600,
      },
      group: { owner_id: this.alice.id },
    }[type]
    const row = { name: randomUUID(), type, position: 0, ...draft }
    const [{ id }] = await this.#sql<[{ id: number }]>`
      insert into channels ${this.#sql(row as object)} returning id`
    if (type !== 'group' && type !== 'thread')
      await this.#sql`insert into overwrites ${this.#sql({ channel_id: id, role_id: this.home.role_id })}`
    const { participant, blocked, former } = this.people
    if (type === 'group') {
      for (const { id: user_id } of [this.alice, participant, blocked, former])
        await this.#sql`insert into participants ${this.#sql({ channel_id: id, user_id })}`
      await this.#sql`delete from participants where channel_id = ${id} and user_id = ${former.id}`
    }
    return id
  }
}
