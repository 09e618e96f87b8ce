import { formatAddress, type Host, ipKey, type Key } from '../protocol/addresses.ts'
import { type Dispatch, Listener, RelayPort } from './dispatch.ts'
import { libc, openUdp } from './libc.ts'
import type { Loop } from './loop.ts'
import type { Packets, Port } from '../protocol/packets.ts'
import { PortTaken, type Streams } from './streams.ts'

/** Free ports that are tried when none is given: the same one has to be free on every address, and for TCP. */
const FREE_PORT_TRIES = 20

/** The UDP sockets: one for each address that clients may reach us at, so that answers leave by the same. */
export class Sockets {
  private readonly listeners = new Map<Key, Listener>()

  constructor(
    private readonly loop: Pick<Loop, 'add' | 'remove'>,
    private readonly packets: Packets,
    private readonly dispatch: Dispatch,
  ) {}

  /**
   * Listens on the addresses, by UDP and TCP.
   * @param port 0 takes a free one
   * @returns the port
   * @throws PortTaken
   */
  listen(ips: Uint8Array[], port: number, tcp: Streams): number {
    for (let tries = port === 0 ? FREE_PORT_TRIES : 1; ; tries--) {
      try {
        const first = this.listenAll(ips, port)
        tcp.listen(first)
        return first
      } catch (error) {
        this.close()
        if (!(error instanceof PortTaken) || tries <= 1) throw error
      }
    }
  }

  private listenAll(ips: Uint8Array[], wished: number): number {
    let port = wished
    for (const ip of ips) port = this.listenOn(ip, port) ?? port
    if (this.listeners.size === 0) throw new Error('no address can be listened on')
    return port
  }

  private listenOn(ip: Uint8Array, port: number): number | undefined {
    const opened = openUdp(formatAddress(ip, port))
    if (opened === 'taken') throw new PortTaken(port)
    // An address that is only just being set up is tried again with the next look at them.
    if (opened === 'unusable') return undefined
    const { fromUdp } = this.dispatch
    const take = (socket: Port, slot: number) => fromUdp(socket as Listener, slot)
    const listener = new Listener(opened.fd, formatAddress(ip, opened.port), take)
    this.listeners.set(ipKey(ip), listener)
    this.watch(listener)
    return opened.port
  }

  /** Follows the addresses of the machine as they come and go. @returns those on whose address nothing can come */
  follow(ips: Uint8Array[], port: number): Listener[] {
    const wanted = new Set(ips.map(ipKey))
    const gone = [...this.listeners].filter(([key]) => !wanted.has(key))
    for (const [key, listener] of gone) {
      this.listeners.delete(key)
      this.shut(listener)
    }
    for (const ip of ips) {
      try {
        if (!this.listeners.has(ipKey(ip))) this.listenOn(ip, port)
      } catch (error) {
        if (!(error instanceof PortTaken)) throw error
      }
    }
    return gone.map(([, listener]) => listener)
  }

  /** Opens a relayed transport address; undefined when it cannot be had. */
  relay(host: Host | undefined, port: number): RelayPort | undefined {
    const opened = host ? openUdp(formatAddress(host.bound, port)) : 'unusable'
    if (typeof opened === 'string' || !host) return undefined
    const { fromPeer } = this.dispatch
    const close = (socket: Port) => this.shut(socket)
    const relay = new RelayPort(this.packets, opened.fd, formatAddress(host.bound, opened.port), fromPeer, close)
    this.watch(relay.socket)
    return relay
  }

  private watch(socket: Port): void {
    this.loop.add(socket.fd, () => this.packets.receive(socket))
  }

  private shut(socket: Port): void {
    // What waits to be sent by it goes out first: its descriptor may be another's next.
    this.packets.flush()
    this.loop.remove(socket.fd)
    libc().close(socket.fd)
  }

  close(): void {
    for (const listener of this.listeners.values()) this.shut(listener)
    this.listeners.clear()
  }
}
