import { expect } from 'bun:test'
import type { Socket } from 'node:dgram'

/** Asks for IP discovery. @returns the address that the server answers */
export async function discover(socket: Socket, port: number, ssrc: number): Promise<{ address: string; port: number }> {
  const request = Buffer.alloc(74)
  request.writeUInt16BE(1)
  request.writeUInt16BE(70, 2)
  request.writeUInt32BE(ssrc, 4)
  const response = new Promise<Buffer>((resolve) => socket.once('message', resolve))
  socket.send(request, port, '127.0.0.1')
  const bytes = await response
  expect([bytes.length, bytes.readUInt16BE(0), bytes.readUInt32BE(4)]).toEqual([74, 2, ssrc])
  return { address: bytes.subarray(8, bytes.indexOf(0, 8)).toString(), port: bytes.readUInt16BE(72) }
}
