import { ClientEvents } from '../support/client-events.ts'
import type { Row } from '../support/client-memory.ts'
import { stateOf } from '../support/client-state.ts'
import type { Frame } from '../support/socket.ts'
import type { Client, Surroundings } from './client.ts'
import type { Cluster } from './cluster.ts'
import type { Sent, Span } from './ledger.ts'
import { settles } from './patience.ts'
import { CHANNELS, SERVERS } from './plan.ts'
import { judgeCalls, judgeDirects } from './private-judge.ts'
import type { World } from './world.ts'

/** Without faults, everything must have arrived once nothing has arrived for this time. */
const CALM_MS_MAX = 30_000
/**
 * A client must have a message if it sees the channel and is connected for this time after the message was acknowledged
 * and a later message of the probe has reached every node.
 */
const CHANCE_MS = 10_000
/** The minimum time for a client to become equal to a fresh one. */
const SAME_MS_MIN = 5_000
const FRESH_AT_ONCE = 8
const FRESH_MS_MAX = 20_000
/**
 * The newest messages of a channel to compare: a fresh client has fetched a hundred, and some are deleted meanwhile.
 */
const COMPARED = 50
const SHOWN = 3

/** Everything that the judge needs of a run. */
export interface Matter {
  clients: Client[]
  world: World
  around: Surroundings
  cluster: Cluster
  /** Times in which connections were slow or stood still. */
  impaired: Span[]
  /** The time when a message of the probe that began no earlier had reached every living node. */
  reachedAll: (began_at: number) => number
}

/** Judges everything, once the run is quiet: faults are recorded as violations. */
export async function judge(matter: Matter): Promise<void> {
  const { clients, around } = matter
  const { violations } = around.ledger
  const allWhole = () => clients.every((client) => client.isWhole())
  if (!(await settles(allWhole, CALM_MS_MAX, () => around.counts.events)))
    for (const { n } of clients.filter((client) => !client.isWhole())) violations.push(`client ${n} never came back`)
  await existsOnce(matter)
  await wasSeen(matter)
  await judgeCalls(matter)
  await holdsTheSame(matter)
  await judgeDirects(matter)
}

/** Every acknowledged message exists once, under the acknowledged id. */
async function existsOnce({ cluster, around: { ledger } }: Matter): Promise<void> {
  const sql = cluster.database()
  const rows = await sql<
    { id: number; nonce: string }[]
  >`select id, nonce from messages where nonce like 'm%' order by id`
  await sql.end()
  const there = new Map<string, number>()
  for (const { id, nonce } of rows) {
    if (there.has(nonce)) ledger.violations.push(`${nonce} exists twice, as ${there.get(nonce)} and ${id}`)
    there.set(nonce, id)
    if (!ledger.sent.has(nonce)) ledger.violations.push(`${nonce} exists and was never sent`)
  }
  for (const { nonce, id, refused, deleted, acknowledged_at } of ledger.sent.values()) {
    const found = there.get(nonce)
    if (deleted === 'yes' && found !== undefined) ledger.violations.push(`${nonce} was deleted and exists`)
    if (id === undefined && refused === undefined) ledger.violations.push(`${nonce} was never answered for good`)
    if (id === undefined || deleted || found === id) continue
    ledger.violations.push(
      `${nonce} was acknowledged as ${id} at ${time(acknowledged_at)}, and is ${found ?? 'not'} there`,
    )
  }
}

/** Every message was seen by every client that was allowed to see it and had enough time. */
async function wasSeen(matter: Matter): Promise<void> {
  const { clients, around } = matter
  const { ledger } = around
  const sent = [...ledger.sent.values()].filter(({ id, deleted }) => id !== undefined && !deleted)
  const places = Map.groupBy(sent, ({ server, channel }) => `${server}:${channel}`)
  let missing: [Client, Sent, Span][] = []
  for (const messages of places.values()) {
    const [{ server, channel }] = messages as [Sent]
    for (const client of clients) {
      const spans = ledger.spans(client.n, server, channel)
      for (const message of spans.length > 0 ? messages : []) {
        const { begun_at = 0 } = message
        const span = spans.find(({ from, to }) => from <= begun_at && begun_at <= to)
        if (span && hadEveryChance(client, message, span, matter)) missing.push([client, message, span])
      }
    }
  }
  const expected = missing.length
  const allSeen = () => {
    missing = missing.filter(([client, { id }]) => !client.seen.has(id ?? 0))
    return missing.length === 0
  }
  await settles(allSeen, CALM_MS_MAX, () => missing.length)
  console.log(`  ${expected} times a client had to see a message, ${expected - missing.length} times it did`)
  for (const [client, { nonce, id, server, channel, begun_at, acknowledged_at }, span] of missing)
    ledger.violations.push(
      `client ${client.n} has not seen ${nonce} (message ${id} of server ${server}'s ${channel}), begun ` +
        `${time(begun_at)}, acknowledged ${time(acknowledged_at)}; it saw the channel from ${time(span.from)} to ` +
        `${time(span.to)}; its connections: ${connectionsOf(client, acknowledged_at)}`,
    )
}

/** The client still sees the channel, or was connected for long enough before it lost sight. */
function hadEveryChance(client: Client, sent: Sent, span: Span, { impaired, reachedAll }: Matter): boolean {
  if (span.to === Infinity) return true
  const { acknowledged_at = 0 } = sent
  const until = reachedAll(acknowledged_at) + CHANCE_MS
  if (span.to < until || impaired.some(({ from, to }) => from < until && to > acknowledged_at)) return false
  return client.connections.some(
    ({ synced_at = Infinity, closed_at = Infinity }) => synced_at <= acknowledged_at && closed_at >= until,
  )
}

const time = (at: number | undefined): string =>
  at === undefined || at === Infinity ? 'never' : new Date(at).toISOString().slice(14, 23)

/** The connections of a client around a moment. */
function connectionsOf({ connections }: Client, at = 0): string {
  const near = connections.filter(
    ({ began_at, closed_at = Infinity }) => closed_at > at - 5000 && began_at < at + 15_000,
  )
  return near
    .slice(0, 5)
    .map(
      ({ began_at, synced_at, closed_at, resumed }) =>
        `${resumed ? 'resumed' : 'fresh'} ${time(began_at)}, synced ${time(synced_at)}, closed ${time(closed_at)}`,
    )
    .join('; ')
}

/** Every client has the same state as a fresh one, and sees exactly the result of the changes. */
async function holdsTheSame(matter: Matter): Promise<void> {
  const queue = [...matter.clients]
  const until = Date.now() + CALM_MS_MAX
  const next = async () => {
    for (let client = queue.shift(); client; client = queue.shift()) await compare(client, matter, until)
  }
  await Promise.all(Array.from({ length: FRESH_AT_ONCE }, next))
}

async function compare(client: Client, { world, around: { ledger, atlas } }: Matter, until: number): Promise<void> {
  const fresh = await freshState(client)
  if (!fresh) return void ledger.violations.push(`client ${client.n} got no fresh connection`)
  // `ready` contains unread marks that nobody has set, but only in dms. A client that leaves a server while a channel
  // of it
  // is out of sight gets no event of the deleted mark.
  const isMarked = (channel_id: number) => {
    const { server } = atlas.channel(channel_id) ?? {}
    return (
      server !== undefined &&
      client.model.marks.has(channel_id) &&
      ledger.spans(client.n, server, 'server').length === 1
    )
  }
  let [clientState, truth]: [Row, Row] = [{}, {}]
  const same = () => {
    clientState = comparable(client.model, fresh, isMarked)
    truth = comparable(fresh, fresh, isMarked)
    return Bun.deepEquals(clientState, truth)
  }
  if (!(await settles(same, Math.max(SAME_MS_MIN, until - Date.now())))) {
    const what = difference(clientState, truth) + diaryOf(client, clientState, truth)
    ledger.violations.push(`client ${client.n} holds something else than a fresh one:${what}`)
  }
  for (let server = 0; server < SERVERS; server++)
    for (const name of CHANNELS) {
      const should = ledger.spans(client.n, server, name).at(-1)?.to === Infinity
      const does = fresh.channels.has(world.places[server]?.channels[name] ?? 0)
      if (should !== does)
        ledger.violations.push(`client ${client.n} ${does ? 'sees' : 'does not see'} server ${server}'s ${name}`)
    }
}

/** The state of a client that connects for the first time. */
async function freshState(client: Client): Promise<ClientEvents | undefined> {
  const { url } = client.around
  const model = new ClientEvents(client)
  const frames: Frame[] = []
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${client.token}`)
  socket.onmessage = ({ data }) => frames.push(JSON.parse(String(data)))
  try {
    if (
      !(await settles(
        () => frames.some(({ t }) => t === 'synced'),
        FRESH_MS_MAX,
        () => frames.length,
      ))
    )
      return undefined
    for (const frame of frames) await model.take(frame)
    return model
  } finally {
    socket.close()
  }
}

/** Compares only the newest messages of each channel, because the fresh client has fetched no more. */
function comparable(model: ClientEvents, fresh: ClientEvents, isMarked: (channel_id: number) => boolean): Row {
  const state = stateOf(model)
  const ofChannel = Map.groupBy(fresh.messages.values(), (message) => message.channel_id as number)
  const newest = (rows: Row[]) => rows.map(({ id }) => id as number).toSorted((a, b) => b - a)
  const oldest = new Map([...ofChannel].map(([id, rows]) => [id, newest(rows)[COMPARED] ?? 0]))
  return {
    ...state,
    marks: state.marks.filter(([channel_id]: [number]) => isMarked(channel_id)),
    messages: state.messages.filter((row: Row) => row.id >= (oldest.get(row.channel_id) ?? 0)),
  }
}

/** The time when it first saw a message that it now has in another version, and its events around that time. */
function diaryOf({ seen, diary }: Client, clientState: Row, truth: Row): string {
  const lacking = (rows: Row[], others: Row[]) =>
    rows.find((row) => !others.some((other) => Bun.deepEquals(row, other)))
  const wrong = lacking(truth.messages, clientState.messages) ?? lacking(clientState.messages, truth.messages)
  if (!wrong) return ''
  const { id, channel_id } = wrong
  const isAbout = new RegExp(` (ready|synced) | (${channel_id}|${id})\\b`)
  const about = diary.filter((line) => isAbout.test(line)).map((line) => `\n      ${line}`)
  return `\n    message ${id} of ${channel_id} first seen ${time(seen.get(id))}, told:${about.join('')}`
}

/** The first rows in which two states differ. */
function difference(clientState: Row, truth: Row): string {
  const only = (rows: unknown[], others: unknown[]) =>
    rows.filter((row) => !others.some((other) => Bun.deepEquals(row, other)))
  const text = (rows: unknown[]) =>
    `${rows.length}: ${rows.slice(0, SHOWN).map((row) => JSON.stringify(row).slice(0, 300))}`
  return Object.keys(truth)
    .filter((key) => !Bun.deepEquals(clientState[key], truth[key]))
    .map((key) => {
      if (!Array.isArray(truth[key]))
        return `\n    ${key}: ${JSON.stringify(clientState[key])} / ${JSON.stringify(truth[key])}`
      const [extra, lacking] = [only(clientState[key], truth[key]), only(truth[key], clientState[key])]
      return `\n    ${key}: it has ${text(extra)}\n    and lacks ${text(lacking)}`
    })
    .join('')
}
