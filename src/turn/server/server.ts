import { randomBytes } from 'node:crypto'
import { type Family, formatAddress, type Host, parseIp, parseRange, Peers } from '../protocol/addresses.ts'
import { Allocations, type Client, type Home } from './allocation.ts'
import { Authentication } from './authentication.ts'
import { openNonces } from '../credentials.ts'
import { Dispatch } from './dispatch.ts'
import { hostsOf, ownAddresses, resolveAnnounced } from './hosts.ts'
import { type Loop, openLoop } from './loop.ts'
import { Packets } from '../protocol/packets.ts'
import { RelayPorts } from './relay-ports.ts'
import { Requests } from './requests.ts'
import { Sockets } from './sockets.ts'
import { type Certificate, Streams } from './streams.ts'
import { newTally, type Tally } from './tally.ts'

/** How often the machine is asked for its addresses, and what is announced is looked up. */
const LOOK_AROUND_SECONDS = 30

export interface TurnConfig {
  port: number
  tls_port: number
  relay_ports: readonly [number, number]
  /** Host names or addresses; empty takes the interface's. */
  announced: string[]
  allowed_peers: string[]
  secret: string
  limits: { allocations: number; bytes_per_s: number }
}

/** What of the machine the relay goes by. */
interface Surroundings {
  own: ReturnType<typeof ownAddresses>
  hosts: Host[]
}

const named = new Map<string, Uint8Array[]>()
async function lookAround(announced: string[]): Promise<Surroundings> {
  const own = ownAddresses()
  return { own, hosts: hostsOf(own, await resolveAnnounced(announced, named)) }
}

/** The relay: its sockets, what goes through them, and its clock. */
export class TurnServer {
  readonly tally: Tally = newTally()
  port = 0
  tls_port: number | undefined
  private readonly packets = new Packets()
  private readonly peers: Peers
  private readonly authentication: Authentication
  private readonly allocations: Allocations
  private readonly dispatch: Dispatch
  private readonly sockets: Sockets
  private readonly tcp: Streams
  private readonly tls: Streams
  private loop: Loop | undefined
  private ticks = 0
  private fault_tick = -1
  private stopped = false

  private constructor(
    private readonly config: TurnConfig,
    private around: Surroundings,
    private readonly onFault: (error: unknown) => void,
  ) {
    const { packets, tally } = this
    const { relay_ports, limits } = config
    this.peers = new Peers(config.allowed_peers.map(parseRange), relay_ports)
    this.authentication = new Authentication(config.secret, openNonces(randomBytes(32)))
    const families = () => this.around.hosts.map(({ family }) => family)
    const hostOf = (family: Family) => this.around.hosts.find((host) => host.family === family)
    const ports = new RelayPorts(relay_ports, families, (family, port) => this.sockets.relay(hostOf(family), port))
    const allocations = new Allocations(ports, limits)
    const announced = (family: Family) => hostOf(family)?.announced
    const { peers, authentication } = this
    const requests = new Requests({ allocations, ports, peers, authentication, tally, announced })
    const dispatch = new Dispatch({ packets, allocations, peers, requests, tally })
    const handlers = {
      bytes: packets.bytes,
      tally,
      wake: () => this.wake(),
      message: dispatch.fromClient.bind(dispatch),
      channelData: dispatch.fromStream.bind(dispatch),
      gone: (client: Client) => this.endAt(client.home),
      fault: (error: unknown) => this.fault(error),
    }
    this.allocations = allocations
    this.dispatch = dispatch
    this.tcp = new Streams('tcp', handlers)
    this.tls = new Streams('tls', handlers)
    const poll = {
      add: (fd: number, ready: () => void) => this.loop?.add(fd, ready),
      remove: (fd: number) => this.loop?.remove(fd),
    }
    this.sockets = new Sockets(poll, packets, dispatch)
  }

  /**
   * Opens every socket.
   * @param onFault told of an error of ours, once a second at most
   * @throws PortTaken when another program has the port; another Error where the system lacks something
   */
  static async open(
    config: TurnConfig,
    certificate: Certificate | undefined,
    onFault: (error: unknown) => void,
  ): Promise<TurnServer> {
    const server = new TurnServer(config, await lookAround(config.announced), onFault)
    server.loop = await openLoop({
      wake: () => server.wake(),
      fault: (error) => server.fault(error),
      settle: () => server.packets.flush(),
      tick: () => server.tick(),
    })
    server.wake()
    server.judgeBy(server.around)
    try {
      server.port = server.sockets.listen(server.ips, config.port, server.tcp)
      if (certificate) server.certify(certificate)
    } catch (error) {
      server.close()
      throw error
    }
    return server
  }

  /** Listens with TLS, or goes on with another certificate. @throws PortTaken; Error when it is not usable */
  certify(certificate: Certificate): void {
    this.tls_port = this.tls.listen(this.tls_port ?? this.config.tls_port, certificate)
  }

  /** Runs until stop(). */
  async run(): Promise<void> {
    await this.loop?.run(() => this.stopped)
    this.close()
  }

  stop(): void {
    this.stopped = true
  }

  /** The account has lost what let it in: what it holds ends, and its credentials open nothing any more. */
  forget(user_id: number): void {
    this.authentication.forget(user_id, this.dispatch.now.unix_s)
    this.allocations.endAll(({ holder }) => holder.user_id === user_id)
  }

  /** Exactly these addresses of the SFU may be relayed to, though they are on this host. */
  allowSfu(addresses: { ip: string; port: number }[]): void {
    this.peers.setSfu(
      addresses.flatMap(({ ip, port }) => {
        const parsed = parseIp(ip)
        return parsed ? [formatAddress(parsed, port)] : []
      }),
    )
  }

  /** What it has done so far. */
  count(): Tally {
    this.tally.allocations = this.allocations.all.size
    this.tally.drops.system = this.packets.dropped
    return this.tally
  }

  private get ips(): Uint8Array[] {
    return this.around.own.map(({ ip }) => ip)
  }

  private wake(): void {
    this.dispatch.now.ms = performance.now()
    this.dispatch.now.unix_s = Date.now() / 1000
  }

  private tick(): void {
    const { ms } = this.dispatch.now
    this.allocations.sweep(ms)
    this.tcp.sweep(ms)
    this.tls.sweep(ms)
    if (++this.ticks % LOOK_AROUND_SECONDS === 0) void this.lookAgain()
  }

  private fault(error: unknown): void {
    this.tally.drops.fault++
    if (this.ticks === this.fault_tick) return
    this.fault_tick = this.ticks
    this.onFault(error)
  }

  /** The system may have no descriptor left to be asked with: what is known holds until the next time. */
  private async lookAgain(): Promise<void> {
    try {
      this.follow(await lookAround(this.config.announced))
    } catch (error) {
      this.fault(error)
    }
  }

  /** Addresses come and go: an interface that comes up late, another one from the provider. */
  private follow(now: Surroundings): void {
    if (this.stopped) return
    this.around = now
    this.judgeBy(now)
    for (const { home } of this.sockets.follow(this.ips, this.port)) this.endAt(home)
  }

  private judgeBy({ hosts, own }: Surroundings): void {
    this.peers.setHost(
      hosts,
      own.map(({ ip }) => ip),
    )
  }

  private endAt(home: Home): void {
    for (const allocation of home.values()) this.allocations.end(allocation)
  }

  /** Closes every socket. */
  close(): void {
    this.stopped = true
    // The end of time: reserved ports go too.
    this.allocations.sweep(Number.POSITIVE_INFINITY)
    this.sockets.close()
    this.tcp.stop()
    this.tls.stop()
  }
}
