import { heapStats } from 'bun:jsc'

// Preloaded into a server that is measured. When asked, it collects the server's garbage and tells what is left.

/** Between two collections: finalizers of the first make more garbage. */
const PAUSE_MS = 200

/** The JavaScript heap after a full collection. */
export interface Heap {
  bytes: number
  /** Bytes of the blocks in which the objects are. */
  capacity: number
  objects: number
  /** Objects by type, the most frequent first. */
  types: Record<string, number>
}

process.on('message', async () => {
  Bun.gc(true)
  await Bun.sleep(PAUSE_MS)
  Bun.gc(true)
  const { heapSize, heapCapacity, objectCount, objectTypeCounts } = heapStats()
  const types = Object.entries(objectTypeCounts).toSorted(([, a], [, b]) => b - a)
  const heap: Heap = {
    bytes: heapSize,
    capacity: heapCapacity,
    objects: objectCount,
    types: Object.fromEntries(types.slice(0, 40)),
  }
  process.send?.(heap)
})
