import { expect, test } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { OPENED_AT_START_MAX, SERVERS_NAMED_MAX } from '../../src/gateway/lazy-servers.ts'
import { OPENED_AT_ONCE_MAX, OPENED_PER_MINUTE_MAX } from '../../src/gateway/model.ts'
import { say, standard, until } from '../support/harness.ts'
import { passersBy } from '../support/people.ts'
import { place } from '../support/places.ts'
import { connect, type Gateway, gatewayUrl, newestS } from '../support/socket.ts'

const parley = await standard()
const { sql } = parley.parts
const [alice, bob, mallory] = await passersBy(parley, 'alice', 'bob', 'mallory')

/** Servers with these people, one after another. */
async function places(count: number, ...people: Parameters<typeof place>) {
  const homes: Awaited<ReturnType<typeof place>>[] = []
  for (let n = 0; n < count; n++) homes.push(await place(...people))
  return homes
}

const serversIn = (gateway: Gateway) => {
  const [ready] = gateway.of('ready')
  const rows: { id: number; entry?: object }[] = ready?.d.servers
  return { open: rows.filter(({ entry }) => !entry).map(({ id }) => id), listed: rows.filter(({ entry }) => entry) }
}
const snapshotsIn = (gateway: Gateway): number[] => gateway.of('server.snapshot').map(({ d }) => d.server.id)
const ids = (some: { server_id: number }[]) => some.map(({ server_id }) => server_id)

test('a client that names no servers receives all of them, without list entries', async () => {
  const [wren] = await passersBy(parley, 'wren')
  const homes = await places(3, alice, wren)
  const gateway = await connect(wren)
  expect(serversIn(gateway)).toEqual({ open: ids(homes), listed: [] })
  expect(snapshotsIn(gateway)).toEqual(ids(homes))
  gateway.close()
})

test('a fresh connection opens few servers: those named first, then the last used ones', async () => {
  const [wren] = await passersBy(parley, 'wren')
  const homes = await places(9, alice, wren)
  const [first, second, third] = homes.map(({ server_id }) => server_id) as [number, number, number]
  // Read last in the third, and before that in the first.
  for (const at of [0, 2]) {
    const channel_id = homes[at]?.channel_id ?? 0
    const { id } = await say(alice, channel_id, 'An owl')
    const reader = await connect(wren, '&servers=0')
    expect(await reader.command('channel.ack', { channel_id, message_id: id })).toHaveProperty('d')
    reader.close()
  }
  const open = async (query: string) => {
    const gateway = await connect(wren, query)
    expect(snapshotsIn(gateway).toSorted((a, b) => a - b)).toEqual(serversIn(gateway).open)
    expect(serversIn(gateway).listed.length).toBe(homes.length - snapshotsIn(gateway).length)
    gateway.close()
    return serversIn(gateway).open
  }
  const recent = await open('&servers=recent')
  expect(recent.length).toBe(OPENED_AT_START_MAX)
  expect(recent).toEqual(expect.arrayContaining([first, third]))
  expect(await open(`&servers=${second}`)).toEqual([second])
  expect(await open(`&servers=${ids(homes).join()}`)).toEqual(ids(homes).slice(0, OPENED_AT_START_MAX))
  const last = ids(homes)[8] ?? 0
  expect(await open(`&servers=recent,${last}`)).toEqual(expect.arrayContaining([first, third, last]))
  // Servers of others do not exist.
  const foreign = await place(alice)
  expect(await open(`&servers=${foreign.server_id}`)).toEqual([])
})

test('a resumed connection keeps all servers that it names, and receives the events of every server', async () => {
  const [wren] = await passersBy(parley, 'wren')
  const homes = await places(8, alice, wren)
  const before = await connect(wren, '&servers=0')
  before.close()
  const message = await say(alice, homes[7]?.channel_id ?? 0, 'A heron')
  const named = ids(homes).slice(0, 7)
  const after = await connect(wren, `&s=${newestS(before)}&servers=recent,${named.join()}`)
  expect(after.of('ready')[0]?.d.resumed).toBe(true)
  expect(serversIn(after)).toMatchObject({ open: named, listed: [{ entry: { unread_count: 1, mention_count: 0 } }] })
  expect(snapshotsIn(after)).toEqual([])
  expect(after.of('message.created').map(({ d }) => d.id)).toEqual([message.id])
  after.close()
})

test('server.open brings what a full opening has of the server, before the answer', async () => {
  const [wren] = await passersBy(parley, 'wren')
  const [one, other] = (await places(2, alice, wren)) as [Awaited<ReturnType<typeof place>>, { server_id: number }]
  const { server_id, channel_id } = one
  const message = await say(alice, channel_id, `<@${wren.id}>, an owl`)
  const thread = await alice.post(`/api/channels/${channel_id}/threads`, { name: 'Owls', message_id: message.id })
  expect(thread.status).toBe(201)
  await say(alice, thread.body.id, `Here, <@${wren.id}>`)
  const deny = permissions('send_messages')
  const put = await alice.put(`/api/channels/${channel_id}/permissions/members/${wren.id}`, { deny })
  expect(put.status).toBe(200)
  for (const compress of ['', '&compress=deflate']) {
    const [full, lazy] = [await connect(wren), await connect(wren, `&servers=0${compress}`)]
    const [entry] = serversIn(lazy).listed as { entry?: object }[]
    expect(entry).toMatchObject({ entry: { unread_count: 2, mention_count: 2, thread_ids: [thread.body.id] } })
    const [ready, lazyReady] = [full.of('ready')[0]?.d, lazy.of('ready')[0]?.d]
    expect([lazyReady.read_marks, lazyReady.threads, lazyReady.own_overwrites]).toEqual([[], [], []])
    const answer = await lazy.command('server.open', { server_ids: [server_id, other.server_id, server_id, 1e12] })
    expect(answer.d.server_ids).toEqual([server_id, other.server_id])
    expect(lazy.of('server.snapshot').map(({ d }) => d)).toEqual(full.of('server.snapshot').map(({ d }) => d))
    const opened = lazy.of('server.opened').map(({ d }) => d)
    const byChannel = (rows: { channel_id: number }[]) => rows.toSorted((a, b) => a.channel_id - b.channel_id)
    expect(byChannel(opened.flatMap(({ read_marks }) => read_marks))).toEqual(byChannel(ready.read_marks))
    expect(opened.flatMap(({ threads }) => threads)).toEqual(ready.threads)
    expect(opened[0]?.presences).toEqual(ready.presences)
    for (const gateway of [full, lazy]) gateway.close()
  }
})

test('the server of others, one that was former, and one that bans the account do not open', async () => {
  const [foreign, former, banning] = (await places(3, alice, bob, mallory)) as { server_id: number }[]
  const own = await place(mallory)
  await sql`delete from members where server_id = ${foreign?.server_id ?? 0} and user_id = ${mallory.id}`
  const gateway = await connect(mallory, '&servers=0')
  expect((await mallory.delete(`/api/servers/${former?.server_id}/members/@me`)).status).toBe(204)
  expect((await alice.put(`/api/servers/${banning?.server_id}/bans/${mallory.id}`, {})).status).toBeLessThan(300)
  for (const id of [foreign, former, banning].map((each) => each?.server_id ?? 0)) {
    const [refused, missing] = [
      await gateway.command('server.open', { server_ids: [id] }),
      await gateway.command('server.open', { server_ids: [1e12] }),
    ]
    expect([refused.error.code, refused.error.detail]).toEqual(['not_found', missing.error.detail])
    expect((await gateway.command('server.open', { server_ids: [id, own.server_id] })).d.server_ids).toEqual([
      own.server_id,
    ])
  }
  expect(new Set(snapshotsIn(gateway))).toEqual(new Set([own.server_id]))
  gateway.close()
})

test('no snapshot and no marks follow once the account is out of the server', async () => {
  for (let round = 0; round < 12; round++) {
    const { server_id } = await place(alice, mallory)
    const gateway = await connect(mallory, '&servers=0')
    const opening = Promise.all([1, 2, 3].map(() => gateway.command('server.open', { server_ids: [server_id] })))
    if (round % 3 > 0) await gateway.next('server.snapshot')
    const kick = await alice.delete(`/api/servers/${server_id}/members/${mallory.id}`)
    expect(kick.status).toBe(204)
    const answers = await opening
    await gateway.settled()
    const end = gateway.frames.findIndex(({ t, d }) => t === 'server.deleted' && d.id === server_id)
    expect(end).toBeGreaterThan(-1)
    expect(gateway.frames.slice(end).filter(({ t }) => t === 'server.snapshot' || t === 'server.opened')).toEqual([])
    for (const { d, error } of answers) expect(d?.server_ids ?? [error.code]).toHaveLength(1)
    gateway.close()
  }
})

test('a channel that is hidden while its server opens is in no later snapshot, and in no later marks', async () => {
  for (let round = 0; round < 8; round++) {
    const { server_id, everyone } = await place(alice, mallory)
    const answer = await alice.post(`/api/servers/${server_id}/channels`, { name: 'secret', type: 'text' })
    const channel_id: number = answer.body.id
    await say(alice, channel_id, 'An owl')
    const gateway = await connect(mallory, '&servers=0')
    const opening = Promise.all([1, 2, 3, 4].map(() => gateway.command('server.open', { server_ids: [server_id] })))
    const deny = permissions('view_channel')
    const hidden = await alice.put(`/api/channels/${channel_id}/permissions/${everyone}`, { deny })
    expect(hidden.status).toBe(200)
    await opening
    await gateway.settled()
    const end = gateway.frames.findIndex(({ t, d }) => t === 'channel.deleted' && d.id === channel_id)
    expect(end).toBeGreaterThan(-1)
    const later = gateway.frames.slice(end + 1)
    const names = ({ d }: { d: any }) => [
      ...(d.channels ?? []).map(({ id }: { id: number }) => id),
      ...(d.read_marks ?? []).map((row: any) => row.channel_id),
    ]
    expect(later.flatMap(names)).not.toContain(channel_id)
    gateway.close()
  }
})

test('messages that are sent while a server opens arrive after its snapshot', async () => {
  const { server_id, channel_id } = await place(alice, bob)
  const gateway = await connect(bob, '&servers=0')
  for (let round = 0; round < 5; round++) {
    gateway.frames.length = 0
    const [message] = await Promise.all([
      say(alice, channel_id, `Owl ${round}`),
      gateway.command('server.open', { server_ids: [server_id] }),
    ])
    await gateway.next('message.created', ({ d }) => d.id === message.id)
    const opened = gateway.frames.findIndex(({ t }) => t === 'server.opened')
    const isMarked = gateway.frames[opened]?.d.read_marks.some(({ newest_id }: any) => newest_id === message.id)
    const isAfter = gateway.frames.slice(opened).some(({ t, d }) => t === 'message.created' && d.id === message.id)
    expect([round, isMarked || isAfter]).toEqual([round, true])
  }
  gateway.close()
})

test('a command opens few servers, a socket few a minute, and neither changes anything beyond', async () => {
  const { server_id } = await place(alice, bob)
  const gateway = await connect(bob, '&servers=0')
  const refused = async (d: unknown) => (await gateway.command('server.open', d)).error?.code
  const many = (count: number) => [server_id, ...Array.from({ length: count - 1 }, (_, n) => 1e9 + n)]
  for (const d of [{}, { server_ids: [] }, { server_ids: many(OPENED_AT_ONCE_MAX + 1) }, { server_ids: ['1'] }])
    expect(await refused(d)).toBe('validation_failed')
  expect(gateway.of('server.snapshot')).toEqual([])
  // The counter begins anew at each full minute, so that a minute's end may fall into this loop once.
  const codes: (string | undefined)[] = []
  for (let n = 0; n < (2 * OPENED_PER_MINUTE_MAX) / OPENED_AT_ONCE_MAX + 1; n++)
    codes.push(await refused({ server_ids: many(OPENED_AT_ONCE_MAX) }))
  expect(codes[0]).toBeUndefined()
  expect(codes).toContain('rate_limited')
  expect(gateway.of('server.snapshot').length).toBe(codes.filter((code) => code === undefined).length)
  gateway.close()
})

test('many accounts that open a server at once leave the database to others', async () => {
  const people = await passersBy(parley, ...Array.from({ length: 24 }, (_, n) => `wren${n}`))
  const { server_id } = await place(alice, ...people)
  const sockets = await Promise.all(people.map((who) => connect(who, '&servers=0')))
  const openings = await sql.begin(async (tx) => {
    // Read by openings, and not by the requests below.
    await tx`lock table thread_followers in access exclusive mode`
    const all = Promise.all(sockets.map((socket) => socket.command('server.open', { server_ids: [server_id] })))
    const waiting = () => tx`select from pg_locks where not granted and relation = 'thread_followers'::regclass`
    await until(async () => (await waiting()).length > 0)
    for (let n = 0; n < 3; n++) expect((await alice.get(`/api/servers/${server_id}`)).status).toBe(200)
    // In an object, because the end of the transaction would wait for a promise.
    return { all }
  })
  for (const { d } of await openings.all) expect(d.server_ids).toEqual([server_id])
  for (const socket of sockets) socket.close()
})

test('a malformed choice of servers is refused before the upgrade', async () => {
  const tooMany = Array.from({ length: SERVERS_NAMED_MAX + 2 }, (_, n) => n + 1).join()
  for (const servers of ['', 'all', '1;2', '-1', '1e3', 'recent,', '9'.repeat(16), tooMany]) {
    const url = gatewayUrl(parley, `token=${bob.token}&servers=${servers}`).replace('ws', 'http')
    expect([servers, (await fetch(url)).status]).toEqual([servers, 400])
  }
})
