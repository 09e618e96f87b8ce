import { seeded } from '../support/happenings.ts'

export const CLIENTS = 200
export const SERVERS = 10
/** Servers of each client at the start. */
const SERVERS_EACH = 2
const SENDS_PER_SECOND = 60
const CHANGES_PER_SECOND = 5
/** Clients per second that are reloaded: they forget everything. */
const RELOADS_PER_SECOND = 0.5
const DIRECTS_PER_SECOND = 10
/** Pairs of clients that write to each other: few enough messages per pair for one page. */
const PAIRS = 150
const CALL_STEPS_PER_SECOND = 5
/** Share of the call steps that are leaves. */
const HUNG_UP = 0.3
const EDITED = 0.08
const UNSAID = 0.04
const READ = 0.05

/**
 * A server's channels: one that everyone sees, one for holders of its key, and two that are hidden and opened again;
 * the key shows the hall even then, and the yard is visible only to the owner.
 */
export const CHANNELS = ['general', 'vault', 'hall', 'yard'] as const
export type ChannelName = (typeof CHANNELS)[number]
/** The same, and the voice channel, which every member sees. */
export const PLACES = [...CHANNELS, 'lounge'] as const
export type PlaceName = (typeof PLACES)[number]

export const FAULTS = ['kill', 'freeze', 'redis', 'postgres', 'cut all', 'cut some', 'slow', 'stall'] as const
/** The last two only where a run asks for them. */
export type FaultKind = (typeof FAULTS)[number] | 'failover' | 'replace'
const FAULT_EVERY_S = 6
/** Seconds without faults at the start and end of a run. */
const CALM_S = 4

export interface Fault {
  atMs: number
  kind: FaultKind
  /** Its duration; for a kill, the time until the restart. */
  for_ms: number
  /** The affected node. */
  node: number
  /** The harder of two ways: Redis is killed and not frozen, PostgreSQL killed and not shut down at once. */
  hard: boolean
  /** Selects the affected connections, and their share. */
  part: number
}

interface Send {
  atMs: number
  client: number
  server: number
  channel: ChannelName
  /** The author's later action on it. */
  afterwards: Afterwards
}

export type Afterwards = 'edit' | 'delete' | 'read' | undefined

/** A direct message; its reader is its recipient. */
export interface Direct {
  atMs: number
  from: number
  to: number
  afterwards: Afterwards
}

/** A client joins the voice channel of a server, or leaves its call. */
export interface CallStep {
  atMs: number
  client: number
  server: number | undefined
}

type Toggled = 'hall' | 'yard'

export interface Change {
  atMs: number
  kind: 'join' | 'leave' | 'kick' | 'ban' | 'grant' | 'take' | 'hide' | 'open'
  server: number
  /** The affected client; the owner for a channel. */
  client: number
  /** The channel that is hidden or opened. */
  channel?: Toggled
}

export interface Plan {
  ms: number
  /** By server: its members at the start; the owner of server n is client n. */
  members: Set<number>[]
  faults: Fault[]
  sends: Send[]
  changes: Change[]
  directs: Direct[]
  calls: CallStep[]
  reloads: { atMs: number; client: number }[]
}

/** Every decision of a run; the same for the same seed, length, number of nodes and kinds of faults. */
export function makePlan(seed: number, minutes: number, nodes: number, kinds: readonly FaultKind[]): Plan {
  const random = seeded(seed)
  const ms = Math.round(minutes * 60_000)
  const below = (count: number) => Math.floor(random() * count)
  const members = Array.from({ length: SERVERS }, (_, server) => new Set([server]))
  for (let client = 0; client < CLIENTS; client++)
    for (let n = 0; n < SERVERS_EACH; n++) members[below(SERVERS)]?.add(client)
  const faults = planFaults(random, ms, nodes, kinds)
  const reloads = Array.from({ length: Math.floor((ms / 1000) * RELOADS_PER_SECOND) }, () => ({
    atMs: random() * ms,
    client: below(CLIENTS),
  })).toSorted((a, b) => a.atMs - b.atMs)
  const world = openWorld(members)
  const [sends, changes]: [Send[], Change[]] = [[], []]
  const stepMs = 1000 / (SENDS_PER_SECOND + CHANGES_PER_SECOND)
  for (let atMs = 0; atMs < ms; atMs += stepMs * 2 * random()) {
    const server = below(SERVERS)
    if (random() * (SENDS_PER_SECOND + CHANGES_PER_SECOND) < CHANGES_PER_SECOND)
      changes.push({ atMs, server, ...world.change(random, server) })
    else {
      const channel = CHANNELS[below(CHANNELS.length)] as ChannelName
      const afterwards = fate(random())
      sends.push({ atMs, server, channel, afterwards, client: world.sender(random, server, channel) })
    }
  }
  return { ms, members, faults, sends, changes, reloads, ...planPeople(random, ms, members) }
}

const fate = (drawn: number): Afterwards =>
  drawn < EDITED ? 'edit' : drawn < EDITED + UNSAID ? 'delete' : drawn < EDITED + UNSAID + READ ? 'read' : undefined

/** Direct messages, and joins and leaves of calls. */
function planPeople(random: () => number, ms: number, members: Set<number>[]): Pick<Plan, 'directs' | 'calls'> {
  const below = (count: number) => Math.floor(random() * count)
  const times = (aSecond: number) =>
    Array.from({ length: Math.floor((ms / 1000) * aSecond) }, () => random() * ms).toSorted((a, b) => a - b)
  const pairs = Array.from({ length: PAIRS }, () => {
    const one = below(CLIENTS)
    return [one, (one + 1 + below(CLIENTS - 1)) % CLIENTS] as const
  })
  const directs = times(DIRECTS_PER_SECOND).map((atMs): Direct => {
    const [one, other] = pairs[below(PAIRS)] ?? [0, 1]
    const [from, to] = random() < 0.5 ? [one, other] : [other, one]
    return { atMs, from, to, afterwards: fate(random() / 2) }
  })
  const calls = times(CALL_STEPS_PER_SECOND).map((atMs): CallStep => {
    const server = below(SERVERS)
    const there = [...(members[server] ?? [])]
    const client = there[below(there.length)] ?? server
    return { atMs, client, server: random() < HUNG_UP ? undefined : server }
  })
  return { directs, calls }
}

/** Every kind once in a random order, then again, one after another; lasting faults overlap the next. */
function planFaults(random: () => number, ms: number, nodes: number, kinds: readonly FaultKind[]): Fault[] {
  const faults: Fault[] = []
  let remaining: Fault['kind'][] = []
  for (let at = CALM_S; at < ms / 1000 - CALM_S; at += FAULT_EVERY_S * (0.75 + random() / 2)) {
    if (remaining.length === 0) remaining = [...kinds].toSorted(() => random() - 0.5)
    const kind = remaining.pop() as Fault['kind']
    const lastsS =
      kind === 'kill'
        ? 1 + random() * 3
        : kind === 'freeze'
          ? 3 + random() * 5
          : kind === 'redis'
            ? 4 + random() * 8
            : 2 + random() * 4
    const hard = random() < 0.5
    const node = Math.floor(random() * nodes)
    faults.push({ atMs: at * 1000, kind, for_ms: lastsS * 1000, node, hard, part: random() })
  }
  return faults
}

/** The memberships if every change succeeds, from which the next changes are chosen. */
function openWorld(initial: Set<number>[]) {
  const servers = initial.map((members) => ({
    members: new Set(members),
    keys: new Set<number>(),
    hidden: { hall: false, yard: false },
  }))
  type World = (typeof servers)[number]
  const of = (server: number) => servers[server] as World
  const pick = (random: () => number, among: number[]) => among[Math.floor(random() * among.length)]

  const apply = (
    { members, keys, hidden }: World,
    { kind, client, channel = 'hall' }: Omit<Change, 'atMs' | 'server'>,
  ) => {
    if (kind === 'join') members.add(client)
    else if (kind === 'grant') keys.add(client)
    else if (kind === 'hide' || kind === 'open') hidden[channel] = kind === 'hide'
    else keys.delete(client)
    if (kind === 'leave' || kind === 'kick' || kind === 'ban') members.delete(client)
  }
  return {
    change(random: () => number, server: number): Omit<Change, 'atMs' | 'server'> {
      const world = of(server)
      const channel = random() < 0.5 ? 'hall' : 'yard'
      const plain = [...world.members].filter((client) => client !== server)
      const outside = Array.from({ length: CLIENTS }, (_, n) => n).filter((client) => !world.members.has(client))
      const kinds: [Change['kind'], number[]][] = [
        ['join', outside],
        ['join', outside],
        ['join', outside],
        ['leave', plain],
        ['kick', plain],
        ['ban', plain],
        ['grant', plain.filter((client) => !world.keys.has(client))],
        ['grant', plain.filter((client) => !world.keys.has(client))],
        ['take', [...world.keys]],
        [world.hidden[channel] ? 'open' : 'hide', [server]],
      ]
      const [kind, among] = pickKind(random, kinds)
      const client = pick(random, among) ?? server
      const change = { kind, client, channel } as const
      apply(world, change)
      return change
    },
    sender(random: () => number, server: number, channel: ChannelName): number {
      const { members, keys, hidden } = of(server)
      const sees = (client: number) =>
        client === server ||
        channel === 'general' ||
        ((channel === 'hall' || channel === 'yard') && !hidden[channel]) ||
        (channel !== 'yard' && keys.has(client))
      return pick(random, [...members].filter(sees)) ?? server
    },
  }
}

const pickKind = <T>(random: () => number, kinds: [T, number[]][]): [T, number[]] => {
  const possible = kinds.filter(([, among]) => among.length > 0)
  return possible[Math.floor(random() * possible.length)] as [T, number[]]
}
