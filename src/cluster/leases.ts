/** A lease names the one node that owns something; a heartbeat keeps it. */
export interface Leases {
  /** @returns the node that holds the lease: this one when it was free, or when Redis is away */
  take(name: string): Promise<string>
  /** Gives the lease up, so that another node can take it. */
  release(name: string): void
  /** Calls back with each lease that this node held and another node holds now. */
  onLost(listener: (name: string) => void): void
  stop(): void
}

/** The leases of a single process, which holds them all. */
export const memoryLeases = (id: string): Leases => ({
  take: async () => id,
  release: () => {},
  onLost: () => {},
  stop: () => {},
})
