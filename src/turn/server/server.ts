import { randomBytes } from 'node:crypto'
import { parseIp, parseRange } from '../../core/ip.ts'
import { type Family, transportAddress } from '../protocol/addresses.ts'
import type { AllocationTable, TurnClient } from './allocation.ts'
import { Allocations } from './allocations.ts'
import { Authentication } from './authentication.ts'
import { newCounters, type TurnCounters } from './counters.ts'
import { Dispatch } from './dispatch.ts'
import { type EventLoop, openEventLoop } from './event-loop.ts'
import { type OwnAddress, ownAddresses, resolveAnnounced } from '../../core/own-addresses.ts'
import { hostAddresses, type HostAddress } from './host-addresses.ts'
import { Nonces } from './nonces.ts'
import type { OldestSessions } from './oldest-sessions.ts'
import { Packets } from './packets.ts'
import { PeerPolicy } from './peer-policy.ts'
import { RelayPorts } from './relay-ports.ts'
import { Requests } from './requests.ts'
import { Sockets } from './sockets.ts'
import { type Certificate, Streams } from './streams.ts'

/** How often the interfaces are read and announced names resolved again. */
const ADDRESSES_SECONDS = 30
/** The server listens on at most this many addresses. */
const ADDRESSES_MAX = 64

export interface TurnConfig {
  port: number
  tls_port: number
  relay_ports: readonly [number, number]
  /** Host names or IP addresses; empty announces the interface's address. */
  announced: string[]
  allowed_peers: string[]
  secret: string
  limits: { allocations: number; bytes_per_s: number }
}

/** The addresses of this machine. */
interface MachineAddresses {
  localAddresses: OwnAddress[]
  hosts: HostAddress[]
}

const resolvedAddresses = new Map<string, Uint8Array[]>()
async function readAddresses(announced: string[]): Promise<MachineAddresses> {
  const localAddresses = ownAddresses().slice(0, ADDRESSES_MAX)
  return { localAddresses, hosts: hostAddresses(localAddresses, await resolveAnnounced(announced, resolvedAddresses)) }
}

/** The TURN server: its sockets, allocations and event loop. */
export class TurnServer {
  readonly counters: TurnCounters = newCounters()
  port = 0
  tls_port: number | undefined
  private readonly packets = new Packets()
  private readonly peers: PeerPolicy
  private readonly authentication: Authentication
  private readonly allocations: Allocations
  private readonly dispatch: Dispatch
  private readonly sockets: Sockets
  private readonly tcp: Streams
  private readonly tls: Streams
  private loop: EventLoop | undefined
  private ticks = 0
  private faultTick = -1
  private isStopped = false

  private constructor(
    private readonly config: TurnConfig,
    private addresses: MachineAddresses,
    private readonly onFault: (error: unknown) => void,
  ) {
    const { packets, counters } = this
    const { relay_ports, limits } = config
    this.peers = new PeerPolicy(config.allowed_peers.map(parseRange), relay_ports)
    this.authentication = new Authentication(config.secret, new Nonces(randomBytes(32)))
    const families = () => this.addresses.hosts.map(({ family }) => family)
    const hostOf = (family: Family) => this.addresses.hosts.find((host) => host.family === family)
    const ports = new RelayPorts(relay_ports, families, (family, port) => this.sockets.openRelay(hostOf(family), port))
    const allocations = new Allocations(ports, limits)
    const announced = (family: Family) => hostOf(family)?.announced
    const { peers, authentication } = this
    const requests = new Requests({ allocations, ports, peers, authentication, counters, announced })
    const dispatch = new Dispatch({ packets, allocations, peers, requests, counters })
    const handlers = {
      bytes: packets.bytes,
      counters,
      updateClock: () => this.updateClock(),
      message: dispatch.fromClient.bind(dispatch),
      channelData: dispatch.fromStream.bind(dispatch),
      closed: (client: TurnClient) => this.endAllocations(client.table),
      fault: (error: unknown) => this.reportFault(error),
    }
    this.allocations = allocations
    this.dispatch = dispatch
    this.tcp = new Streams('tcp', handlers)
    this.tls = new Streams('tls', handlers)
    const loop = {
      add: (fd: number, ready: () => void) => this.loop?.add(fd, ready),
      remove: (fd: number) => this.loop?.remove(fd),
    }
    this.sockets = new Sockets(loop, packets, dispatch)
  }

  /**
   * Opens every socket.
   * @param onFault called with an internal error, at most once a second
   * @throws PortTaken when another program uses the port; another Error when the system lacks a feature
   */
  static async open(
    config: TurnConfig,
    certificate: Certificate | undefined,
    onFault: (error: unknown) => void,
  ): Promise<TurnServer> {
    const server = new TurnServer(config, await readAddresses(config.announced), onFault)
    server.loop = await openEventLoop({
      updateClock: () => server.updateClock(),
      fault: (error) => server.reportFault(error),
      afterEvents: () => server.packets.flush(),
      tick: () => server.tick(),
    })
    server.updateClock()
    server.updatePeerPolicy(server.addresses)
    try {
      server.port = server.sockets.listen(server.ips, config.port, server.tcp)
      if (certificate) server.setCertificate(certificate)
    } catch (error) {
      server.close()
      throw error
    }
    return server
  }

  /** Starts to listen with TLS, or replaces the certificate. @throws PortTaken; Error for an unusable certificate */
  setCertificate(certificate: Certificate): void {
    this.tls_port = this.tls.listen(this.tls_port ?? this.config.tls_port, certificate)
  }

  /** Runs until stop(). */
  async run(): Promise<void> {
    await this.loop?.run(() => this.isStopped)
    this.close()
  }

  stop(): void {
    this.isStopped = true
  }

  /** Sets by which sessions credentials from before the start are judged. */
  setSessions(sessions: OldestSessions): void {
    this.authentication.setSessions(sessions)
  }

  /** The account lost its sessions: its allocations end, and its credentials can no longer allocate. */
  revoke(userId: number): void {
    this.authentication.revoke(userId, this.dispatch.now.unixS)
    this.allocations.endWhere(({ user }) => user.user_id === userId)
  }

  /** Allows relaying to exactly these addresses of the SFU, which are on this host. */
  allowSfu(addresses: { ip: string; port: number }[]): void {
    this.peers.setSfu(
      addresses.flatMap(({ ip, port }) => {
        const parsed = parseIp(ip)
        return parsed ? [transportAddress(parsed, port)] : []
      }),
    )
  }

  /** The counters since the start. */
  count(): TurnCounters {
    this.counters.allocations = this.allocations.all.size
    this.counters.drops.system = this.packets.dropped
    return this.counters
  }

  private get ips(): Uint8Array[] {
    return this.addresses.localAddresses.map(({ ip }) => ip)
  }

  private updateClock(): void {
    this.dispatch.now.ms = performance.now()
    this.dispatch.now.unixS = Date.now() / 1000
  }

  private tick(): void {
    const { ms } = this.dispatch.now
    this.allocations.sweep(ms)
    this.tcp.sweep(ms)
    this.tls.sweep(ms)
    if (++this.ticks % ADDRESSES_SECONDS === 0) void this.refreshAddresses()
  }

  private reportFault(error: unknown): void {
    this.counters.drops.fault++
    if (this.ticks === this.faultTick) return
    this.faultTick = this.ticks
    this.onFault(error)
  }

  /** Reading can fail when no file descriptor is left; the known addresses stay until the next attempt. */
  private async refreshAddresses(): Promise<void> {
    try {
      this.setAddresses(await readAddresses(this.config.announced))
    } catch (error) {
      this.reportFault(error)
    }
  }

  /** Addresses change: an interface comes up late, or the provider assigns another address. */
  private setAddresses(addresses: MachineAddresses): void {
    if (this.isStopped) return
    this.addresses = addresses
    this.updatePeerPolicy(addresses)
    for (const { table } of this.sockets.setAddresses(this.ips, this.port)) this.endAllocations(table)
  }

  private updatePeerPolicy({ hosts, localAddresses }: MachineAddresses): void {
    this.peers.setHost(
      hosts,
      localAddresses.map(({ ip }) => ip),
    )
  }

  private endAllocations(table: AllocationTable): void {
    for (const allocation of table.values()) this.allocations.end(allocation)
  }

  /** Closes every socket. */
  close(): void {
    this.isStopped = true
    // At infinity every allocation and reservation has expired.
    this.allocations.sweep(Number.POSITIVE_INFINITY)
    this.sockets.close()
    this.tcp.stop()
    this.tls.stop()
    this.loop?.close()
    this.loop = undefined
  }
}
