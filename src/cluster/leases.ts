/** How much a node would lose with a lease. */
export type Weigh = (name: string) => number

/** A lease names the one node that owns something; heartbeats renew it. */
export interface Leases {
  /**
   * If several nodes took a lease while Redis was away, the node with the highest weight keeps it, or the first among
   * equals. Without a weight function, leases weigh 0.
   */
  weighBy(weigh: Weigh): void
  /** @returns the node with the lease: this one if the lease was free, or if Redis is away */
  take(name: string): Promise<string>
  /** Releases the lease, so that another node can take it. */
  release(name: string): void
  /**
   * Makes another node the owner of a lease of this node. It has the lease's usual time to take it.
   * @returns false if this node does not own the lease, or Redis is away: nothing has changed then
   */
  handTo(name: string, node: string): Promise<boolean>
  /** Calls back with each lease that this node had and another node has now. */
  onLost(listener: (name: string) => void): void
  stop(): void
}

/** Leases for a single process, which owns them all. */
export const memoryLeases = (id: string): Leases => ({
  weighBy: () => {},
  take: async () => id,
  release: () => {},
  handTo: async () => false,
  onLost: () => {},
  stop: () => {},
})
