/** Who of the nodes is in charge of something, at most one at a time; kept by a heartbeat. */
export interface Leases {
  /** The node that holds it: this one when nobody did, or when nobody can be asked. */
  take(name: string): Promise<string>
  /** Lets it go; it may be somebody else's next. */
  release(name: string): void
  /** Hears of each that this node held and another holds now. */
  onLost(listener: (name: string) => void): void
  stop(): void
}

/** Of a single process: it holds everything. */
export const memoryLeases = (id: string): Leases => ({
  take: async () => id,
  release: () => {},
  onLost: () => {},
  stop: () => {},
})
