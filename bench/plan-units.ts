import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Figure, median } from './report.ts'

const RESULTS = join(import.meta.dir, 'results')

interface Result {
  measured_at: string
  machine?: string
  figures: Figure[]
}

/**
 * Costs of single things, at most. Figures of a machine that several programs shared count all of its cores, so they
 * are too high rather than too low. Times are microseconds of one core.
 */
export interface Units {
  /** The newest and the oldest measurement among them, as dates. */
  measuredFrom: string
  measuredTo: string
  /** The machines that measured, without their load. */
  machines: string[]
  /** Resident memory of a process without sockets. */
  processBytes: number
  /** Memory of an open socket, from a cold start. */
  socketBytes: number
  /** Memory of each process for each account that is online anywhere. */
  presenceBytes: number
  /** Opening of a socket with ten servers. */
  openingUs: number
  /** A process commits a message. */
  sendUs: number
  /** A process delivers a message to one socket, when nothing else is sent to this socket in the same moment. */
  deliveryUs: number
  /** PostgreSQL commits a message. */
  databaseSendUs: number
  /** A page of history: the whole time of the request, which a process and PostgreSQL share. */
  pageUs: number
  /** A search in ten million messages, by PostgreSQL. */
  searchUs: number
  /** A login; argon2id uses every core. */
  loginUs: number
  /** Messages that a Redis passes on, a second and core. */
  redisPerSecond: number
  /** The SFU passes on a packet of sound. */
  packetUs: number
  /** A message as a row of the event log, and as a frame. */
  rowBytes: number
  /** The search index, for each message. */
  indexBytes: number
}

/**
 * Measured by hand, and not repeated by a part of the benchmarks: Redis of Debian 12 with publishers and subscribers on
 * one core, and rows of the event log.
 */
const BY_HAND = { redisPerSecond: 280_000, rowBytes: 700 }

const SEARCHES = ['rare', 'common', 'absent', 'elsewhere']

/** Reads the results of the parts in a folder, and notes when and on which machines they were measured. */
class Results {
  readonly dates: string[] = []
  readonly machines = new Set<string>()
  readonly #parts = new Map<string, Result>()

  constructor(private readonly folder: string) {}

  #part(name: string): Result {
    const read = this.#parts.get(name)
    if (read) return read
    const result: Result = JSON.parse(readFileSync(join(this.folder, `${name}.json`), 'utf8'))
    this.#parts.set(name, result)
    this.dates.push(result.measured_at.slice(0, 10))
    if (result.machine) this.machines.add(result.machine.replace(/, load .*$/, ''))
    return result
  }

  /** The median of a figure. @throws Error if the part has no such figure */
  of(part: string, name: string): number {
    const figure = this.#part(part).figures.find((candidate) => candidate.name === name)
    if (!figure) throw new Error(`bench/results/${part}.json has no figure "${name}": run \`bun run bench ${part}\`.`)
    return median(figure.parley)
  }

  /** A figure of things a second, as microseconds of all cores. Results without a machine come from two cores. */
  wholeMachineUs(part: string, name: string): number {
    const cores = Number(/^(\d+) cores/.exec(this.#part(part).machine ?? '')?.[1] ?? 2)
    return (cores * 1e6) / this.of(part, name)
  }
}

/** Reads the unit costs from the results of `bun run bench`: this machine's own if it ran there. */
export function readUnits(folder = RESULTS): Units {
  const results = new Results(folder)
  const sendAlone = results.of('nodes', 'processor time a message of it, 1 process without Redis')
  const searches = SEARCHES.map((kind) => results.of('search', `search of 10 million messages, ${kind}, p50`))
  const voice = 'a room of 16 voices: '
  const packets = results.of('voice', `${voice}packets to members (sound: 12000 due)`)
  const units = {
    processBytes: results.of('start', 'memory of the idle process, without PostgreSQL') * 1e6,
    presenceBytes: results.of('presence', '20 processes, 200000 online: memory of a process'),
    socketBytes: results.of('sockets', 'the same, from the start of the process') * 1e3,
    openingUs: 1e6 / results.of('sockets', 'opening of sockets, each with 10 snapshots'),
    sendUs: results.of('nodes', 'processor time a message of it, 2 processes'),
    deliveryUs: results.of('nodes', 'processor time a message to 1000 at 40 sends/s, 2 processes') / 1000,
    databaseSendUs: results.wholeMachineUs('send', 'send at 64 connections') - sendAlone,
    pageUs: results.of('history', 'history of 1 million messages, first page') * 1000,
    searchUs: (searches.reduce((sum, ms) => sum + ms, 0) / searches.length) * 1000,
    loginUs: results.wholeMachineUs('login', 'login over 32 connections'),
    packetUs: (results.of('voice', `${voice}CPU of the worker`) / 100 / packets) * 1e6,
    indexBytes: results.of('search', 'index of the search'),
  }
  const dates = results.dates.toSorted()
  return {
    ...units,
    ...BY_HAND,
    measuredFrom: dates[0] ?? '',
    measuredTo: dates.at(-1) ?? '',
    machines: [...results.machines].sort(),
  }
}
