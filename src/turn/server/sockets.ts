import { type AddressKey, ipKey } from '../../core/ip.ts'
import { transportAddress } from '../protocol/addresses.ts'
import type { Dispatch } from './dispatch.ts'
import type { EventLoop } from './event-loop.ts'
import type { HostAddress } from './host-addresses.ts'
import { libc, openUdp } from './libc.ts'
import type { Packets, UdpSocket } from './packets.ts'
import { PortTaken, type Streams } from './streams.ts'
import { Listener, RelaySocket } from './udp.ts'

/** With port 0: attempts to find a port that is free over UDP and TCP on every address. */
const FREE_PORT_TRIES = 20

/** The UDP sockets: one per local address, so that a response leaves from the address that the client sent to. */
export class Sockets {
  private readonly listeners = new Map<AddressKey, Listener>()

  constructor(
    private readonly loop: Pick<EventLoop, 'add' | 'remove'>,
    private readonly packets: Packets,
    private readonly dispatch: Dispatch,
  ) {}

  /**
   * Listens on the addresses, by UDP and TCP.
   * @param port 0 picks a free port
   * @returns the port
   * @throws PortTaken
   */
  listen(ips: Uint8Array[], port: number, tcp: Streams): number {
    for (let tries = port === 0 ? FREE_PORT_TRIES : 1; ; tries--) {
      try {
        const chosenPort = this.listenByUdp(ips, port)
        tcp.listen(chosenPort)
        return chosenPort
      } catch (error) {
        this.close()
        if (!(error instanceof PortTaken) || tries <= 1) throw error
      }
    }
  }

  private listenByUdp(ips: Uint8Array[], requested: number): number {
    let port = requested
    for (const ip of ips) port = this.listenOn(ip, port) ?? port
    if (this.listeners.size === 0) throw new Error('no address can be listened on')
    return port
  }

  private listenOn(ip: Uint8Array, port: number): number | undefined {
    const udp = openUdp(transportAddress(ip, port))
    if (udp === 'taken') throw new PortTaken(port)
    // The interface may still be coming up: setAddresses tries the address again.
    if (udp === 'unusable') return undefined
    const listener = new Listener(udp.fd, transportAddress(ip, udp.port), this.dispatch.fromUdp)
    this.listeners.set(ipKey(ip), listener)
    this.watch(listener)
    return udp.port
  }

  /** Listens on exactly these addresses. @returns the listeners that were closed because their address is gone */
  setAddresses(ips: Uint8Array[], port: number): Listener[] {
    const ipKeys = new Set(ips.map(ipKey))
    const removedListeners = [...this.listeners].filter(([key]) => !ipKeys.has(key))
    for (const [key, listener] of removedListeners) {
      this.listeners.delete(key)
      this.closeSocket(listener)
    }
    for (const ip of ips) {
      try {
        if (!this.listeners.has(ipKey(ip))) this.listenOn(ip, port)
      } catch (error) {
        if (!(error instanceof PortTaken)) throw error
      }
    }
    return removedListeners.map(([, listener]) => listener)
  }

  /** Opens a relayed transport address. @returns undefined when the port cannot be bound */
  openRelay(host: HostAddress | undefined, port: number): RelaySocket | undefined {
    const udp = host ? openUdp(transportAddress(host.bound, port)) : 'unusable'
    if (typeof udp === 'string' || !host) return undefined
    const address = transportAddress(host.bound, udp.port)
    const close = (socket: RelaySocket) => this.closeSocket(socket)
    const relay = new RelaySocket(this.packets, udp.fd, address, this.dispatch.fromPeer, close)
    this.watch(relay)
    return relay
  }

  private watch(socket: UdpSocket): void {
    this.loop.add(socket.fd, () => this.packets.receive(socket))
  }

  private closeSocket(socket: UdpSocket): void {
    // The kernel may reuse the descriptor at once, so packets queued on it are sent first.
    this.packets.flush()
    this.loop.remove(socket.fd)
    libc().close(socket.fd)
  }

  close(): void {
    for (const listener of this.listeners.values()) this.closeSocket(listener)
    this.listeners.clear()
  }
}
