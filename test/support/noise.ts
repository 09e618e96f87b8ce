/** A PNG of random pixels, which no encoder makes small. */
export async function noise(edge: number): Promise<Uint8Array> {
  const pixels = crypto.getRandomValues(new Uint8Array(edge * edge * 4))
  const head = Buffer.alloc(54)
  head.write('BM')
  head.writeUInt32LE(head.length + pixels.length, 2)
  head.writeUInt32LE(head.length, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(edge, 18)
  head.writeInt32LE(edge, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(32, 28)
  return new Bun.Image(Buffer.concat([head, pixels])).png().bytes()
}
