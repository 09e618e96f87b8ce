import { expect, spyOn, test } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { accessOf, ServerViews } from '../../src/gateway/server-views.ts'
import { happenings, type Pick, seeded, usual, type World } from '../support/happenings.ts'
import { type Person, person, newServer, standard } from '../support/harness.ts'
import { connect, type Gateway } from '../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts

/** The server as the account sees it, by its views only. */
async function seen(views: ServerViews, who: Person, server_id: number) {
  const { memberships } = await views.read((_sql, load) => load([who.id]))
  return accessOf(who.id, memberships.get(who.id) ?? []).servers.find(({ id }) => id === server_id)
}

const channelIds = async (views: ServerViews, who: Person, server_id: number) =>
  (await seen(views, who, server_id))?.channels.map(({ id }) => id)

async function everyoneOf(owner: Person, server_id: number): Promise<number> {
  const roles: { id: number; is_everyone: boolean }[] = (await owner.get(`/api/servers/${server_id}/roles`)).body
  return roles.find((role) => role.is_everyone)?.id ?? 0
}

const deny = async (owner: Person, channel_id: number, roleId: number, bits: number) => {
  const { status } = await owner.put(`/api/channels/${channel_id}/permissions/${roleId}`, { deny: bits })
  expect(status).toBe(200)
}

test('a reading that began before a change neither sees nor stores anything later', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const everyone = await everyoneOf(alice, server_id)
  const [views, elsewhere] = [new ServerViews(sql), new ServerViews(sql)]
  const old = await views.read(async (tx, load) => {
    await tx`select 1 from servers`
    await deny(alice, channel_id, everyone, permissions('view_channel'))
    expect(await channelIds(views, bob, server_id)).toEqual([])
    expect(await channelIds(elsewhere, bob, server_id)).toEqual([])
    return (await load([bob.id])).memberships.get(bob.id)
  })
  expect(old?.flatMap(({ view }) => view.channels.map(({ id }) => id))).toEqual([channel_id])
  expect(await channelIds(views, bob, server_id)).toEqual([])
  await deny(alice, channel_id, everyone, 0)
  for (const node of [views, elsewhere]) {
    expect(await channelIds(node, bob, server_id)).toEqual([channel_id])
    node.stop()
  }
})

test('a reading that began before a change and ends after it is not used later', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id, channel_id } = await newServer(alice, bob)
  const everyone = await everyoneOf(alice, server_id)
  const views = new ServerViews(sql)
  await views.read(async (tx, load) => {
    await tx`select 1 from servers`
    await deny(alice, channel_id, everyone, permissions('view_channel'))
    await load([bob.id])
  })
  expect(await channelIds(views, bob, server_id)).toEqual([])
  views.stop()
})

test('a reading is not stored if the database may have become another one meanwhile', async () => {
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const { server_id } = await newServer(alice, bob)
  const views = new ServerViews(sql)
  await views.read(async (_sql, load) => {
    views.forgetAll()
    await load([bob.id])
  })
  // This change sends no event: only a cached view could hide it.
  await sql`update servers set name = 'Restored' where id = ${server_id}`
  const { memberships } = await views.read((_sql, load) => load([bob.id]))
  expect(memberships.get(bob.id)?.[0]?.view.parts.all()[0]?.text('{}')).toContain('"name":"Restored"')
  views.stop()
})

/** Compares the server on the account's sockets with the present content of the database. */
async function expectTruth(who: Person, server_id: number, what: string): Promise<void> {
  const gateway: Gateway = await connect(who)
  const snapshot = gateway.of('server.snapshot').find(({ d }) => d.server.id === server_id)?.d
  const [member] = await sql<{ permissions: number }[]>`
    select permissions from member_permissions where server_id = ${server_id} and user_id = ${who.id}`
  const channels = await sql<{ id: number; last_message_id: number | null }[]>`
    select c.id, c.last_message_id from channels c
    join channel_permissions cp on cp.channel_id = c.id and cp.user_id = ${who.id}
    where c.server_id = ${server_id} and can_view(cp.permissions) order by c.id`
  const roles = await sql<{ id: number; permissions: number }[]>`
    select id, permissions from roles where server_id = ${server_id} order by id`
  const byId = <T extends { id: number }>(rows: T[] = []) => rows.toSorted((one, other) => one.id - other.id)
  const ids: number[] = gateway.frames[0]?.d.servers.find((one: { id: number }) => one.id === server_id)?.channel_ids
  expect({
    what,
    permissions: snapshot?.permissions,
    listed: ids?.toSorted((one, other) => one - other) ?? [],
    channels: byId<{ id: number; last_message_id: number | null }>(snapshot?.channels).map((channel) => ({
      id: channel.id,
      last_message_id: channel.last_message_id,
    })),
    roles: byId<{ id: number; permissions: number }>(snapshot?.roles).map((role) => ({
      id: role.id,
      permissions: role.permissions,
    })),
  }).toEqual({
    what,
    permissions: member?.permissions,
    listed: channels.map(({ id }) => id),
    channels: [...channels],
    roles: member ? [...roles] : [],
  })
  gateway.close()
}

for (const seed of [1, 2]) {
  test(`every member sees what the database says, after each random change of access (seed ${seed})`, async () => {
    const random = seeded(seed)
    const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T
    const people = [await person(parley, 'alice'), await person(parley, 'bob'), await person(parley, 'carol')]
    const [alice, bob, carol] = people as [Person, Person, Person]
    const { server_id, channel_id } = await newServer(alice, bob, carol)
    const path = `/api/servers/${server_id}`
    const roles = [await everyoneOf(alice, server_id)]
    const channels = [channel_id]
    for (const name of ['Keepers', 'Wardens']) roles.push((await alice.post(`${path}/roles`, { name })).body.id)
    for (const name of ['one', 'two'])
      channels.push((await alice.post(`${path}/channels`, { name, type: 'text' })).body.id)
    const category = (await alice.post(`${path}/channels`, { name: 'Birds', type: 'category' })).body.id
    channels.push(category)
    const bits = ['view_channel', 'manage_server', 'administrator', 'read_history'] as const
    let owner = alice
    const changes: Record<string, () => Promise<unknown>> = {
      role: () => owner.put(`/api/roles/${pick(roles)}`, { permissions: permissions(pick([...bits])) }),
      overwrite: () =>
        owner.put(`/api/channels/${pick(channels)}/permissions/${pick(roles)}`, {
          [pick(['allow', 'deny'])]: permissions('view_channel'),
        }),
      lift: () => owner.delete(`/api/channels/${pick(channels)}/permissions/${pick(roles)}`),
      grant: () => owner.post(`${path}/members/${pick(people).id}/roles/${pick(roles.slice(1))}`),
      take: () => owner.delete(`${path}/members/${pick(people).id}/roles/${pick(roles.slice(1))}`),
      transfer: async () => {
        const heir = pick(people)
        if ((await owner.post(`${path}/transfer`, { user_id: heir.id })).status === 200) owner = heir
      },
      timeout: () =>
        owner.put(`${path}/members/${pick(people).id}`, {
          timed_out_until: pick([null, new Date(Date.now() + 600_000).toISOString()]),
        }),
      quarantine: () =>
        owner.put(`${path}/members/${pick(people).id}`, { held_back: pick([null, 'quarantined' as const]) }),
      move: () => owner.put(`/api/channels/${pick(channels.slice(0, 3))}`, { parent_id: pick([null, category]) }),
      say: () => owner.post(`/api/channels/${pick(channels)}/messages`, { content: 'Hello' }),
      rename: () => owner.put(`/api/channels/${pick(channels)}`, { topic: `Topic ${random()}` }),
    }
    for (let round = 0; round < 40; round++) {
      const name = pick(Object.keys(changes))
      await changes[name]?.()
      await Promise.all(people.map((who, at) => expectTruth(who, server_id, `${round}: ${name}, person ${at}`)))
    }
  })
}

test('every change of what members see of a server is announced by an event of its transaction', async () => {
  await sql`create table untold (what text)`
  await sql`create function demand_event() returns trigger language plpgsql as $$
    declare
      row jsonb := to_jsonb(coalesce(new, old));
      home bigint;
    begin
      home := case tg_table_name when 'servers' then (row->>'id')::bigint
        when 'overwrites' then (select server_id from channels where id = (row->>'channel_id')::bigint)
        when 'messages' then (select server_id from channels where id = (row->>'channel_id')::bigint)
        else (row->>'server_id')::bigint end;
      -- Nobody has seen a server of this transaction; an overwrite of a deleted channel goes with it.
      if home is null or exists (select from servers where id = home and created_at > now() - interval '2 ms') then
        return null;
      end if;
      -- Nobody sees a deleted server, whose content goes in batches.
      if exists (select from events e where e.server_id = home and e.type = 'server.deleted') then
        return null;
      end if;
      if not exists (select from events e
        where e.server_id = home and e.user_id is null and e.xid = pg_current_xact_id()) then
        insert into untold values (tg_op || ' ' || tg_table_name || ' ' || row::text);
      end if;
      return null;
    end $$`
  const seenByAll = ['servers', 'channels', 'roles', 'overwrites', 'members', 'messages']
  // Bots on Discord's door also see these.
  const watched = [...seenByAll, 'member_roles', 'member_overwrites', 'emojis', 'stickers', 'calendar_events']
  for (const table of watched)
    await sql`create constraint trigger demand_event after insert or update or delete on ${sql(table)}
      deferrable initially deferred for each row execute function demand_event()`
  const random = seeded(7)
  const pick: Pick = (list) => list[Math.floor(random() * list.length)]
  const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(parley, name)))
  const [alice, bob, carol] = people as [Person, Person, Person]
  const homes = [await newServer(alice, bob, carol), await newServer(bob, alice)]
  const world: World = {
    people,
    servers: homes.map(({ server_id }) => server_id),
    channels: homes.map(({ channel_id }) => channel_id),
    messages: [],
    invites: [],
    roles: [],
    directs: [],
    clients: [],
  }
  const acts: typeof happenings = {
    ...happenings,
    'own overwrite': (_world, who, pick, n) => {
      const path = `/api/channels/${pick(world.channels)}/permissions/members/${pick(people)?.id}`
      return n % 3 === 0 ? who.delete(path) : who.put(path, { [n % 2 ? 'allow' : 'deny']: permissions('view_channel') })
    },
    date: async (_world, who, pick, n) => {
      const [starts_at, ends_at] = [n + 1, n + 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())
      const place = n % 2 ? { text: 'Here' } : { channel_id: pick(world.channels) }
      const draft = { title: `Walk ${n}`, starts_at, ends_at, time_zone: 'UTC', place }
      const { status, body } = await who.post(`/api/servers/${pick(world.servers)}/events`, draft)
      if (status === 201 && n % 3 === 0) await who.put(`/api/events/${body.id}`, { title: 'Run' })
      if (status === 201 && n % 3 === 1) await who.delete(`/api/events/${body.id}`)
    },
  }
  const often = ['own overwrite', 'own overwrite', 'own overwrite', 'date', 'date']
  const names = [...Object.keys(acts), ...usual, ...often]
  for (let round = 0; round < 400; round++) await acts[pick(names) ?? '']?.(world, pick(people) as Person, pick, round)
  expect((await sql<{ what: string }[]>`select what from untold`).map(({ what }) => what)).toEqual([])
  // The watch itself works.
  await sql`update servers set name = 'Untold' where id in (select max(id) from servers)`
  await sql`update servers set name = 'Untold' where created_at < now() - interval '1 second'`
  expect((await sql`select what from untold`).length).toBeGreaterThan(0)
  for (const table of watched) await sql`drop trigger demand_event on ${sql(table)}`
})

test('a server that no reading needs for a minute is evicted, and a large one frees its memory', async () => {
  const alice = await person(parley, 'alice')
  const { server_id } = await newServer(alice)
  await sql`insert into channels (server_id, name, type, position, topic)
    select ${server_id}, 'channel-' || n, 'text', n, repeat('ж', 1024) from generate_series(1, 498) n`
  const timers = spyOn(globalThis, 'setInterval')
  const views = new ServerViews(sql)
  const [everyMinute] = timers.mock.calls.at(-1) as [() => void]
  timers.mockRestore()
  const collect = spyOn(Bun, 'gc')
  const usage = process.memoryUsage()
  const heap = spyOn(process, 'memoryUsage')
  /** The number of garbage collections in the two minutes after a reading, with a heap of this size. */
  const collections = async (megabytes: number) => {
    heap.mockReturnValue({ ...usage, heapUsed: megabytes * 1024 * 1024 })
    expect(await channelIds(views, alice, server_id)).toHaveLength(499)
    const before = collect.mock.calls.length
    everyMinute()
    everyMinute()
    return collect.mock.calls.length - before
  }
  expect(await collections(10)).toBe(1)
  expect(await collections(100)).toBe(0)
  for (const spy of [collect, heap]) spy.mockRestore()
  views.stop()
})
