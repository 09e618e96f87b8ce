import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { types } from 'mediasoup'
import { isWithin, parseIp, parseRange } from '../../core/ip.ts'
import { localAddresses } from '../sfu/addresses.ts'
import { LINK_BUFFERS } from '../sfu/branch.ts'

const LOOPBACK = '127.0.0.1'
/** Addresses of private networks (RFC 1918, RFC 4193). */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'].map(parseRange)

/** The address of this process for links to others: `SFU_LINK_ADDRESS`, else a private one, else loopback. */
export class LinkAddress {
  #ip: Promise<string> | undefined

  constructor(private readonly configured: string | undefined) {}

  ip(): Promise<string> {
    this.#ip ??= this.configured === undefined ? privateAddress() : Promise.resolve(this.configured)
    return this.#ip
  }

  /** The options of an end of a link. It is always encrypted: it may leave the machine. */
  async options(): Promise<types.PipeTransportOptions> {
    const listenInfo = { protocol: 'udp', ip: await this.ip(), ...LINK_BUFFERS } as const
    return { listenInfo, enableSrtp: true, enableRtx: true }
  }
}

async function privateAddress(): Promise<string> {
  const isPrivate = (address: string) => {
    const ip = parseIp(address)
    return ip !== undefined && PRIVATE.some((range) => isWithin(ip, range))
  }
  const addresses = await localAddresses()
  return addresses.find(({ address, internal }) => !internal && isPrivate(address))?.address ?? LOOPBACK
}

/** Identifies this machine until it starts again. Processes on loopback reach only those of the same machine. */
export function machineMark(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return ''
  }
}

const isLoopback = (ip: string): boolean => ip.startsWith('127.') || ip === '::1'

/** True if a process at one address reaches one at the other. */
export function reaches(own: { ip: string; machine: string }, other: { ip: string; machine: string }): boolean {
  if (isIP(own.ip) !== isIP(other.ip)) return false
  return own.machine === other.machine || !(isLoopback(own.ip) || isLoopback(other.ip))
}
