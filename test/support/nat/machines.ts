import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchChromiumIn } from '../browser/chromium.ts'
import { debianProgram } from '../debian.ts'
import { type Person, standard } from '../harness.ts'
import { mediaWorker } from '../media-worker.ts'
import { leaveNoNamespace, removeNamespaces } from '../reaper.ts'
import { redisProgram } from '../redis.ts'
import { dataDirectory, launch } from '../spawned.ts'
import { HANG_MS } from '../until.ts'

const REDIS_PORT = 6379
/** Number of the newest characters that are kept of what a process writes. */
const OUTPUT_MAX = 20_000

/** One of the machines: its address, and that of the router on the line to it. */
interface Machine {
  name: string
  address: string
  router: string
}

const machineOf = (at: number): Machine => ({
  name: `m${at}-${process.pid}`,
  address: `10.77.${at}.2`,
  router: `10.77.${at}.1`,
})

/** Two machines with a process of one Parley each, and a router between them, where Redis and the people are. */
export class Machines {
  readonly all = [machineOf(1), machineOf(2)] as const
  readonly #router = `router-${process.pid}`
  readonly #namespaces = [this.#router, ...this.all.map(({ name }) => name)]
  readonly #children: Bun.Subprocess[] = []

  /** @returns undefined, said loudly, where namespaces are not permitted or a program is missing */
  static open(): Machines | undefined {
    const machines = new Machines()
    if (debianProgram('ip', 'iproute2') && redisProgram !== undefined && machines.#make()) return machines
    removeNamespaces(...machines.#namespaces)
    console.error('SKIPPED LOUDLY: no network namespaces or no Redis here; links between two machines are not tested')
  }

  #make(): boolean {
    leaveNoNamespace(...this.#namespaces)
    const lines = this.all.map(
      ({ name, address, router }) => `
      ip netns add ${name}; ip -n ${name} link set lo up
      ip link add eth0 netns ${name} type veth peer name ${name} netns ${this.#router}
      ip -n ${name} addr add ${address}/24 dev eth0; ip -n ${name} link set eth0 up
      ip -n ${this.#router} addr add ${router}/24 dev ${name}; ip -n ${this.#router} link set ${name} up
      ip -n ${name} route add default via ${router}`,
    )
    const script = `ip netns add ${this.#router}; ip -n ${this.#router} link set lo up; ${lines.join('')}`
    return Bun.spawnSync(['sh', '-ec', script]).success && this.#route(true)
  }

  #route(isOn: boolean): boolean {
    const value = `net.ipv4.ip_forward=${isOn ? 1 : 0}`
    return Bun.spawnSync([...inside(this.#router), 'sysctl', '-qw', value]).success
  }

  /** From now on neither machine reaches the other. Both reach Redis and the people. */
  cut = (): void => void this.#route(false)

  /** A browser that reaches both. */
  browser(): Promise<Browser> {
    return launchChromiumIn(inside(this.#router))
  }

  /** Starts Redis and the processes, on the standard server's database. */
  async serve(variables: Record<string, string>): Promise<void> {
    const directory = mkdtempSync(join(tmpdir(), 'redis-'))
    const place = ['--port', `${REDIS_PORT}`, '--bind', '0.0.0.0', '--protected-mode', 'no', '--dir', directory]
    const redis = [...inside(this.#router), redisProgram as string, ...place, '--save', '', '--appendonly', 'no']
    this.#children.push(Bun.spawn(redis, { stdio: ['ignore', 'ignore', 'ignore'] }))
    const { DATABASE_URL = '' } = (await standard()).parts.environment
    await Promise.all(this.all.map((machine) => this.#start(machine, { DATABASE_URL, ...variables })))
  }

  async #start({ name, address, router }: Machine, variables: Record<string, string>): Promise<void> {
    const child = launch(
      dataDirectory(),
      {
        HOST: '0.0.0.0',
        PORT: '3000',
        REDIS_URL: `redis://${router}:${REDIS_PORT}`,
        MEDIA_WORKER: 'on',
        MEDIASOUP_WORKER_BIN: await mediaWorker(),
        SFU_ANNOUNCED_ADDRESS: address,
        LOG_LEVEL: 'info',
        ...variables,
      },
      inside(name),
    )
    this.#children.push(child)
    const { promise: started, resolve } = Promise.withResolvers<boolean>()
    let output = ''
    // Both are read until the process ends: it may write its log for as long as it runs.
    const errors = new Response(child.stderr).text()
    void (async () => {
      for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
        output = (output + part).slice(-OUTPUT_MAX)
        if (output.includes('listens on') && output.includes('media.ready')) resolve(true)
      }
      resolve(false)
    })()
    const timer = setTimeout(() => child.kill('SIGKILL'), HANG_MS)
    if (!(await started)) throw new Error(`A process does not start: ${output}${await errors}`)
    clearTimeout(timer)
  }

  /** The gateway of the first machine, for this person. */
  gatewayOf = (who: Person): string => `ws://${this.all[0].address}:3000/ws?token=${who.token}`

  async close(): Promise<void> {
    for (const child of this.#children.reverse()) {
      child.kill()
      await child.exited
    }
    removeNamespaces(...this.#namespaces)
  }
}

const inside = (namespace: string): string[] => ['ip', 'netns', 'exec', namespace]
