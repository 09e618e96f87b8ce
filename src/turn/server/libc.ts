import { dlopen, FFIType as T, type Pointer, ptr, read } from 'bun:ffi'
import { type Address, type Family, V4 } from '../protocol/addresses.ts'

// Bun's own UDP sockets make a Buffer and a string of every packet, fail a send to a live peer when another one is
// dead (IP_RECVERR), hold 256 packets, and throw. The relay calls the system itself: nothing is made per packet.
const AF_INET = 2
const AF_INET6 = 10
const SOCK_DGRAM_NONBLOCK_CLOEXEC = 2 | 0o4000 | 0o2000000
const SOL_SOCKET = 1
const SO_SNDBUF = 7
const SO_RCVBUF = 8
const SO_SNDBUFFORCE = 32
const SO_RCVBUFFORCE = 33
const IPPROTO_IP = 0
const IP_MTU_DISCOVER = 10
const IPPROTO_IPV6 = 41
const IPV6_MTU_DISCOVER = 23
const IPV6_V6ONLY = 26
const EPOLL_CTL_ADD = 1
const EPOLLIN = 1
export const MSG_DONTWAIT = 0x40
const EADDRINUSE = 98
/** What a socket may hold of packets that have not been read; the system may allow less. */
const BUFFER_BYTES = 4 * 1024 * 1024
export const SOCKADDR_BYTES = 28
/** struct epoll_event is packed on x86 alone. */
export const EPOLL_EVENT_BYTES = process.arch === 'x64' ? 12 : 16
export const EPOLL_DATA_AT = process.arch === 'x64' ? 4 : 8

const symbols = {
  socket: { args: [T.i32, T.i32, T.i32], returns: T.i32 },
  bind: { args: [T.i32, T.ptr, T.u32], returns: T.i32 },
  getsockname: { args: [T.i32, T.ptr, T.ptr], returns: T.i32 },
  setsockopt: { args: [T.i32, T.i32, T.i32, T.ptr, T.u32], returns: T.i32 },
  close: { args: [T.i32], returns: T.i32 },
  sendto: { args: [T.i32, T.ptr, T.u64_fast, T.i32, T.ptr, T.u32], returns: T.i64_fast },
  recvmmsg: { args: [T.i32, T.ptr, T.u32, T.i32, T.ptr], returns: T.i32 },
  sendmmsg: { args: [T.i32, T.ptr, T.u32, T.i32], returns: T.i32 },
  __errno_location: { args: [], returns: T.ptr },
  epoll_create1: { args: [T.i32], returns: T.i32 },
  epoll_ctl: { args: [T.i32, T.i32, T.i32, T.ptr], returns: T.i32 },
  epoll_wait: { args: [T.i32, T.ptr, T.i32, T.i32], returns: T.i32 },
} as const

/** The system's own calls. Linux alone has them, by one of these names: glibc, musl. */
function open() {
  const names = ['libc.so.6', `libc.musl-${process.arch === 'x64' ? 'x86_64' : 'aarch64'}.so.1`]
  for (const name of names) {
    try {
      return dlopen(name, symbols).symbols
    } catch {
      // Not this one.
    }
  }
  throw new Error(`the relay needs Linux with glibc or musl, not ${process.platform}`)
}
export type Libc = ReturnType<typeof open>
let opened: Libc | undefined

/**
 * The system's calls, loaded at the first need.
 * @throws Error where there are none
 */
export const libc = (): Libc => (opened ??= open())

/** Memory that the system may be shown: unlike a typed array's own, an ArrayBuffer's does not move. */
export class Memory {
  readonly buffer: ArrayBuffer
  readonly bytes: Uint8Array
  readonly words: Uint32Array
  readonly at: number

  constructor(bytes: number) {
    this.buffer = new ArrayBuffer(bytes)
    this.bytes = new Uint8Array(this.buffer)
    this.words = new Uint32Array(this.buffer)
    this.at = ptr(this.buffer)
  }

  /** Writes an address of memory at a word. */
  point(word: number, to: number): void {
    this.words[word] = to >>> 0
    this.words[word + 1] = Math.floor(to / 0x100000000)
  }
}

/** An address of memory as the calls take it. */
export const at = (address: number): Pointer => address as Pointer

/** Writes a struct sockaddr_in or sockaddr_in6. @returns its length */
export function writeSockaddr(bytes: Uint8Array, start: number, { family, ip, port }: Address): number {
  bytes[start] = family === V4 ? AF_INET : AF_INET6
  bytes[start + 1] = 0
  bytes[start + 2] = port >> 8
  bytes[start + 3] = port & 0xff
  if (family === V4) {
    bytes.set(ip, start + 4)
    bytes.fill(0, start + 8, start + 16)
    return 16
  }
  bytes.fill(0, start + 4, start + SOCKADDR_BYTES)
  bytes.set(ip, start + 8)
  return SOCKADDR_BYTES
}

const small = new Memory(64)
function option(fd: number, level: number, name: number, value: number): boolean {
  small.words[0] = value
  return libc().setsockopt(fd, level, name, at(small.at), 4) === 0
}

/** Why a socket cannot be opened. */
export type Denial = 'taken' | 'unusable'

/**
 * Opens a UDP socket that never blocks.
 * @returns its descriptor and port
 */
export function openUdp(address: Address): { fd: number; port: number } | Denial {
  const { family } = address
  const c = libc()
  const fd = c.socket(family === V4 ? AF_INET : AF_INET6, SOCK_DGRAM_NONBLOCK_CLOEXEC, 0)
  if (fd < 0) return 'unusable'
  if (family !== V4) option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1)
  // RFC 8656 §14: without DONT-FRAGMENT the bit is not set.
  fragment(fd, family, true)
  const length = writeSockaddr(small.bytes, 0, address)
  if (c.bind(fd, at(small.at), length) !== 0) {
    const errno = read.i32(c.__errno_location() as Pointer)
    c.close(fd)
    return errno === EADDRINUSE ? 'taken' : 'unusable'
  }
  // The forced ones need a privilege; without it the system's maximum holds.
  if (!option(fd, SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_BYTES)) option(fd, SOL_SOCKET, SO_RCVBUF, BUFFER_BYTES)
  if (!option(fd, SOL_SOCKET, SO_SNDBUFFORCE, BUFFER_BYTES)) option(fd, SOL_SOCKET, SO_SNDBUF, BUFFER_BYTES)
  small.words[10] = SOCKADDR_BYTES
  c.getsockname(fd, at(small.at), at(small.at + 40))
  return { fd, port: ((small.bytes[2] ?? 0) << 8) | (small.bytes[3] ?? 0) }
}

/** Whether packets may be taken apart on their way (RFC 8656 §14: DONT-FRAGMENT). */
export function fragment(fd: number, family: Family, allowed: boolean): void {
  const [level, name] = family === V4 ? [IPPROTO_IP, IP_MTU_DISCOVER] : [IPPROTO_IPV6, IPV6_MTU_DISCOVER]
  // IP_PMTUDISC_DONT, IP_PMTUDISC_DO
  option(fd, level, name, allowed ? 0 : 2)
}

/** Has the poll tell of packets, under the number of the descriptor itself. */
export function watch(epoll: number, fd: number): void {
  small.words[0] = EPOLLIN
  small.words[EPOLL_DATA_AT / 4] = fd
  small.words[EPOLL_DATA_AT / 4 + 1] = 0
  libc().epoll_ctl(epoll, EPOLL_CTL_ADD, fd, at(small.at))
}
