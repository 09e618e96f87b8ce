import type { Cluster, Node } from './cluster.ts'
import type { Fault } from './plan.ts'
import type { Proxy } from './proxy.ts'
import type { Recovery } from './recovery.ts'

const RESTARTS_MAX = 20
const RESTART_PAUSE_MS = 500
const SOME = 0.3
/** The end of the primary and its standby's promotion; its times count from the promotion. */
export const FAILED_OVER = 'PostgreSQL failed over'

/** Applies the plan's faults to nodes, stores and connections, and undoes them. */
export class Faults {
  readonly done = new Map<string, number>()
  /** Times in which connections were slow or stood still. */
  readonly impaired: { from: number; to: number }[] = []
  /** Faults that could not be applied or undone. */
  readonly failures: string[] = []
  readonly #underway = new Map<string, Promise<void>>()
  readonly #heal = new AbortController()

  constructor(
    private readonly cluster: Cluster,
    private readonly proxy: Proxy,
    private readonly recovery: Recovery,
  ) {}

  /** Begins a fault, unless the last one of that kind has not ended. */
  begin(fault: Fault): void {
    const { kind } = fault
    if (this.#underway.has(kind)) return this.#count(`${kind}, left out`)
    this.#count(kind)
    const work = this.#run(fault)
      .catch((error: unknown) => void this.failures.push(`${kind}: ${String(error)}`))
      .finally(() => this.#underway.delete(kind))
    this.#underway.set(kind, work)
  }

  #count = (what: string) => void this.done.set(what, (this.done.get(what) ?? 0) + 1)

  /** Ends every lasting fault; resolves when everything is restored. */
  async healed(): Promise<void> {
    this.#heal.abort()
    await Promise.all(this.#underway.values())
  }

  #lasts = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#heal.signal.addEventListener('abort', () => (clearTimeout(timer), resolve()))
    })

  #run(fault: Fault): Promise<void> {
    switch (fault.kind) {
      case 'kill':
        return this.#kill(fault)
      case 'freeze':
        return this.#freeze(fault)
      case 'redis':
        return this.#redis(fault)
      case 'postgres':
        return this.#postgres(fault)
      case 'failover':
        return this.#failOver()
      case 'replace':
        return this.#replace()
      case 'cut all':
      case 'cut some':
        return this.#cut(fault)
      case 'slow':
      case 'stall':
        return this.#pace(fault)
    }
  }

  async #kill({ node: at, for_ms }: Fault): Promise<void> {
    const { cluster, recovery } = this
    const node = cluster.nodes[at] as Node
    await cluster.killNode(node)
    recovery.begin('node killed', Date.now())
    await this.#lasts(for_ms)
    recovery.begin('node started again', Date.now(), Date.now(), at)
    await this.#start(node)
  }

  /** As a supervisor does, which tries again if the database was just away. */
  async #start(node: Node): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.cluster.startNode(node)
      } catch (error) {
        if (tries === RESTARTS_MAX) throw error
        await Bun.sleep(RESTART_PAUSE_MS)
      }
    }
  }

  /** One node after another, as for an upgrade. */
  async #replace(): Promise<void> {
    const { cluster, recovery } = this
    for (const node of cluster.nodes) {
      // Another fault has ended it.
      if (!node.url) continue
      recovery.begin('node drained', Date.now())
      await cluster.drainNode(node)
      await this.#start(node)
      const now = Date.now()
      recovery.begin('node started in its place', now, now, node.at)
    }
  }

  async #freeze({ node: at, for_ms }: Fault): Promise<void> {
    const { cluster, recovery } = this
    const span = { from: Date.now(), to: Infinity }
    const thaw = cluster.freezeNode(cluster.nodes[at] as Node)
    if (!thaw) return this.#count('freeze, left out')
    this.impaired.push(span)
    recovery.begin('node frozen', span.from)
    await this.#lasts(for_ms)
    const began = Date.now()
    thaw()
    recovery.begin('node thawed', began, began, cluster.living().some((node) => node.at === at) ? at : undefined)
    span.to = Date.now()
  }

  async #redis({ for_ms, hard, part }: Fault): Promise<void> {
    const harmed = await this.cluster.harmedRedis(hard, part)
    const now = Date.now()
    for (const redis of harmed) await (hard ? redis.kill() : redis.freeze())
    this.recovery.begin(hard ? 'Redis killed' : 'Redis frozen', now)
    await this.#lasts(for_ms)
    const began = Date.now()
    for (const redis of harmed) await (hard ? redis.restart() : redis.thaw())
    this.recovery.begin(hard ? 'Redis started again' : 'Redis thawed', began, Date.now())
  }

  async #postgres({ hard }: Fault): Promise<void> {
    const now = Date.now()
    await this.cluster.postgres.kill(hard ? 'SIGKILL' : 'SIGQUIT')
    this.recovery.begin(hard ? 'PostgreSQL killed' : 'PostgreSQL shut down', now, Date.now())
  }

  /** The storm goes on while the former primary comes back, which may take long. */
  async #failOver(): Promise<void> {
    const { promotedAt, whole } = await this.cluster.postgres.failOver()
    this.recovery.begin(FAILED_OVER, promotedAt, promotedAt)
    await whole
  }

  async #cut({ kind }: Fault): Promise<void> {
    const now = Date.now()
    this.proxy.cut(this.proxy.some(kind === 'cut all' ? 1 : SOME))
    this.recovery.begin(kind === 'cut all' ? 'all connections cut' : 'some connections cut', now)
  }

  async #pace({ kind, for_ms }: Fault): Promise<void> {
    const isChosen = this.proxy.some(SOME)
    const span = { from: Date.now(), to: Infinity }
    this.impaired.push(span)
    this.proxy.pace(isChosen, kind === 'slow' ? 'slow' : 'stalled')
    this.recovery.begin(kind === 'slow' ? 'some connections slowed' : 'some connections stalled', span.from)
    await this.#lasts(for_ms)
    this.proxy.pace(isChosen, 'open')
    span.to = Date.now()
  }
}
