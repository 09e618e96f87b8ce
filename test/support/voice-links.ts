import { RedisNodes } from '../../src/cluster/redis-nodes.ts'
import { openLog } from '../../src/core/log.ts'
import { readEnvironment } from '../../src/environment.ts'
import { machineMark } from '../../src/voice/links/link-address.ts'
import { Links } from '../../src/voice/links/links.ts'
import type { RoutedRoom } from '../../src/voice/sfu/room.ts'
import { openSfu } from './browser/sfu.ts'
import { linkTo } from './redis.ts'
import { until } from './until.ts'

const PEERS_PER_WORKER = 2
const common = { SFU_PEERS_PER_WORKER: String(PEERS_PER_WORKER), SFU_LINK_ADDRESS: '127.0.0.1' }
const quiet = openLog('silent')

/** The parts of a process that links need: its connection to Redis, its SFU, and its links. */
export async function openProcess(url: string, workers = 1) {
  const variables = { ...common, SFU_WORKERS: String(workers) }
  const [connection, sfu] = await Promise.all([linkTo(url), openSfu(variables)])
  await until(() => sfu.pids().length === workers)
  const nodes = new RedisNodes(connection, quiet)
  const rooms = new Set<RoutedRoom>()
  const environment = readEnvironment({ ...variables, REDIS_URL: url })
  const links = new Links({ nodes, log: quiet, environment }, sfu, (_node, client) => {
    const [room] = rooms
    if (!room) throw new Error('the test has a room')
    return room.peer(`client ${client}`)
  })
  const stop = async () => {
    links.stop()
    nodes.stop()
    connection.stop()
    await sfu.stop()
  }
  return { connection, nodes, sfu, links, rooms, stop }
}
export type LinkedProcess = Awaited<ReturnType<typeof openProcess>>

/**
 * A process that offers space for members, but passes no media on.
 * @param ready its answer to a request waits for this
 */
export async function brokenProcess(
  url: string,
  answers: Record<string, unknown>,
  ready: (op: string) => Promise<unknown> = async () => undefined,
) {
  const requests: { op: string; d: any }[] = []
  const connection = await linkTo(url)
  const nodes = new RedisNodes(connection, quiet)
  const socket = await Bun.udpSocket({ hostname: '127.0.0.1', port: 0 })
  const srtp = { cryptoSuite: 'AEAD_AES_256_GCM', keyBase64: Buffer.alloc(44, 7).toString('base64') }
  const end = { ip: '127.0.0.1', port: socket.port, srtp }
  let beats: Timer | undefined
  nodes.onMessage('voice.link', (from, body) => {
    const { n, op, d } = body as { n: number; op: string; d: { branch: string } }
    requests.push({ op, d })
    const hosted = [[d.branch, 0, 0]]
    beats ??= setInterval(() => nodes.send(from, 'voice.link_beat', { owned: [], hosted }), 500)
    const answer = () => nodes.send(from, 'voice.link_answer', { n, d: { open: { end }, ...answers }[op] ?? {} })
    void ready(op).then(answer)
  })
  const row = { ip: '127.0.0.1', machine: machineMark(), space: 9, workers: 1 }
  nodes.table('voice_links').put(nodes.id, JSON.stringify(row))
  const stop = () => {
    clearInterval(beats)
    socket.close()
    nodes.stop()
    connection.stop()
  }
  return { nodes, requests, stop }
}
