/** How much a node would lose with a lease. */
export type Weigh = (name: string) => number

/** A lease names the one node that owns something; a heartbeat keeps it. */
export interface Leases {
  /**
   * Of several nodes that took one lease while Redis was away, the one to which it weighs most keeps it; of equals the
   * first. A lease that is held without this weighs 0.
   */
  weighBy(weigh: Weigh): void
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
  weighBy: () => {},
  take: async () => id,
  release: () => {},
  onLost: () => {},
  stop: () => {},
})
