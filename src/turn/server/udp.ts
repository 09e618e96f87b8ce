import type { Address, Family } from '../protocol/addresses.ts'
import type { Allocation, AllocationTable, RelayedAddress, TurnClient } from './allocation.ts'
import { allowFragmentation } from './libc.ts'
import { type Packets, UdpSocket } from './packets.ts'

/** A UDP socket that clients send to. */
export class Listener extends UdpSocket {
  readonly table: AllocationTable = new Map()

  constructor(
    fd: number,
    address: Address,
    private readonly receive: (listener: Listener, slot: number) => void,
  ) {
    super(fd, address)
  }

  onPacket(slot: number): void {
    this.receive(this, slot)
  }
}

/** A client that uses UDP. */
export class UdpClient implements TurnClient {
  readonly transport = 'udp'

  constructor(
    private readonly packets: Packets,
    private readonly listener: Listener,
    readonly address: Address,
  ) {}

  get table(): AllocationTable {
    return this.listener.table
  }

  send = (message: Uint8Array): void => this.packets.send(this.listener, message, this.address)

  forward(start: number, length: number): void {
    this.packets.queue(this.listener, start, length, this.address)
  }
}

/** The UDP socket of a relayed transport address. */
export class RelaySocket extends UdpSocket implements RelayedAddress {
  owner: Allocation | undefined
  readonly port: number
  readonly family: Family

  constructor(
    private readonly packets: Packets,
    fd: number,
    address: Address,
    private readonly receive: (relay: RelaySocket, slot: number) => void,
    private readonly onClose: (relay: RelaySocket) => void,
  ) {
    super(fd, address)
    this.port = address.port
    this.family = address.family
  }

  onPacket(slot: number): void {
    this.receive(this, slot)
  }

  send = (bytes: Uint8Array, target: Address): void => this.packets.send(this, bytes, target)

  forward(start: number, length: number, target: Address): void {
    this.packets.queue(this, start, length, target)
  }

  allowFragmentation = (isAllowed: boolean): void => allowFragmentation(this.fd, this.family, isAllowed)

  close(): void {
    this.owner = undefined
    this.onClose(this)
  }
}
