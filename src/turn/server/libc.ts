import { dlopen, FFIType as T, type Pointer, ptr, read } from 'bun:ffi'
import { type Address, type Family, V4 } from '../protocol/addresses.ts'

// The TURN server calls libc itself, without an allocation per packet. Bun's UDP sockets create a Buffer and a string
// for each packet, buffer only 256 packets, and throw or fail when another peer is unreachable (IP_RECVERR).
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
/** Size of the kernel's send and receive buffers; the system may allow less. */
const BUFFER_BYTES = 4 * 1024 * 1024
export const SOCKADDR_BYTES = 28
/** struct epoll_event is packed on x86-64 only. */
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

/** Loads libc, from glibc or musl. recvmmsg and epoll exist only on Linux. */
function open() {
  const names = ['libc.so.6', `libc.musl-${process.arch === 'x64' ? 'x86_64' : 'aarch64'}.so.1`]
  for (const name of names) {
    try {
      return dlopen(name, symbols).symbols
    } catch {
      // The other libc is tried next.
    }
  }
  throw new Error(`the relay needs Linux with glibc or musl, not ${process.platform}`)
}
export type Libc = ReturnType<typeof open>
let openLibc: Libc | undefined

/**
 * The functions of libc, loaded on first use.
 * @throws Error on a system other than Linux with glibc or musl
 */
export const libc = (): Libc => (openLibc ??= open())

/** Memory whose address can be passed to libc: unlike that of a small typed array, an ArrayBuffer's does not move. */
export class NativeMemory {
  readonly buffer: ArrayBuffer
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly words: Uint32Array
  readonly at: number

  constructor(bytes: number) {
    this.buffer = new ArrayBuffer(bytes)
    this.bytes = new Uint8Array(this.buffer)
    this.words = new Uint32Array(this.buffer)
    this.at = ptr(this.buffer)
  }

  /** Writes the memory address `to` at a word. */
  writePointer(word: number, to: number): void {
    this.words[word] = to >>> 0
    this.words[word + 1] = Math.floor(to / 0x100000000)
  }
}

/** A memory address as an argument of a libc function. */
export const asPointer = (address: number): Pointer => address as Pointer

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

const scratch = new NativeMemory(64)
function setOption(fd: number, level: number, name: number, value: number): boolean {
  scratch.words[0] = value
  return libc().setsockopt(fd, level, name, asPointer(scratch.at), 4) === 0
}

/** Why a socket cannot be opened: the port is in use, or the address is not available. */
export type OpenFailure = 'taken' | 'unusable'

/**
 * Opens a non-blocking UDP socket.
 * @returns its file descriptor and port
 */
export function openUdp(address: Address): { fd: number; port: number } | OpenFailure {
  const { family } = address
  const c = libc()
  const fd = c.socket(family === V4 ? AF_INET : AF_INET6, SOCK_DGRAM_NONBLOCK_CLOEXEC, 0)
  if (fd < 0) return 'unusable'
  if (family !== V4) setOption(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1)
  // RFC 8656 §14: without DONT-FRAGMENT, the DF bit is not set.
  allowFragmentation(fd, family, true)
  const length = writeSockaddr(scratch.bytes, 0, address)
  if (c.bind(fd, asPointer(scratch.at), length) !== 0) {
    const errno = c.__errno_location()
    const isTaken = errno !== null && read.i32(errno) === EADDRINUSE
    c.close(fd)
    return isTaken ? 'taken' : 'unusable'
  }
  enlargeBuffers(fd)
  scratch.words[10] = SOCKADDR_BYTES
  c.getsockname(fd, asPointer(scratch.at), asPointer(scratch.at + 40))
  return { fd, port: ((scratch.bytes[2] ?? 0) << 8) | (scratch.bytes[3] ?? 0) }
}

/** Gives a socket large buffers. SO_…BUFFORCE needs CAP_NET_ADMIN; without it the system's maximum applies. */
export function enlargeBuffers(fd: number): void {
  if (!setOption(fd, SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_BYTES)) setOption(fd, SOL_SOCKET, SO_RCVBUF, BUFFER_BYTES)
  if (!setOption(fd, SOL_SOCKET, SO_SNDBUFFORCE, BUFFER_BYTES)) setOption(fd, SOL_SOCKET, SO_SNDBUF, BUFFER_BYTES)
}

/** Clears (allowed) or sets the DF bit of sent packets (RFC 8656 §14: DONT-FRAGMENT). */
export function allowFragmentation(fd: number, family: Family, isAllowed: boolean): void {
  const [level, name] = family === V4 ? [IPPROTO_IP, IP_MTU_DISCOVER] : [IPPROTO_IPV6, IPV6_MTU_DISCOVER]
  // IP_PMTUDISC_DONT, IP_PMTUDISC_DO
  setOption(fd, level, name, isAllowed ? 0 : 2)
}

/** Adds a descriptor to an epoll for reading; its events carry the descriptor as data. */
export function epollAdd(epoll: number, fd: number): void {
  scratch.words[0] = EPOLLIN
  scratch.words[EPOLL_DATA_AT / 4] = fd
  scratch.words[EPOLL_DATA_AT / 4 + 1] = 0
  libc().epoll_ctl(epoll, EPOLL_CTL_ADD, fd, asPointer(scratch.at))
}
