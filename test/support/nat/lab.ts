import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { mediaWorker } from '../media-worker.ts'
import { installPackages } from '../debian.ts'
import { launchChromiumIn } from '../browser/chromium.ts'
import { type Person, standard } from '../harness.ts'
import { leaveNoNamespace } from '../reaper.ts'
import { dataDirectory } from '../spawned.ts'

const SCRIPT = join(import.meta.dir, 'lab.sh')
const MAIN = join(import.meta.dir, '../../../src/main.ts')
/** The server, as both households reach it. */
const ADDRESS = '203.0.113.1'
const START_MS_MAX = 30_000

type Nat = 'cone' | 'symmetric' | 'noudp'

/** Two households behind NATs of their own, and a server that both reach. */
export class Lab {
  readonly #env = { ...process.env, LAB: `p${process.pid}` }
  #server: Bun.Subprocess<'ignore', 'pipe', 'ignore'> | undefined
  #served = ''
  url = ''

  /** Makes the network. @returns undefined where namespaces are not permitted */
  static open(): Lab | undefined {
    if (!['ip', 'nft'].every((name) => Bun.which(name))) installPackages('iproute2', 'nftables')
    const lab = new Lab()
    leaveNoNamespace(...['labA', 'labB', 'labS', 'natA', 'natB'].map((name) => lab.#env.LAB + name))
    if (lab.#run('up')) return lab
    lab.#run('down')
    console.error('NO NAT LABORATORY: network namespaces are not permitted here; what needs one is not tested.')
  }

  #run(...command: string[]): boolean {
    return Bun.spawnSync(['bash', SCRIPT, ...command], { env: this.#env, stdio: ['ignore', 'ignore', 'ignore'] })
      .success
  }

  nat = (how: Nat): void => void this.#run('nat', how)
  /** From now on the households reach the server, and not each other. */
  cut = (): void => void this.#run('cut')

  /** A household's line is this slow and loses so much of UDP, both ways, until the next `nat`. */
  narrow = (household: 'A' | 'B', rate: string, percent: number): boolean =>
    this.#run('narrow', household, rate, `${percent}`)

  /** A browser in a household. */
  browser(household: 'A' | 'B'): Promise<Browser> {
    return launchChromiumIn(['env', `LAB=${this.#env.LAB}`, 'bash', SCRIPT, 'exec', household])
  }

  /** Starts a server between the households, on the standard server's database. No two at once. */
  async serve(variables: Record<string, string> = {}): Promise<void> {
    const served = JSON.stringify(variables)
    if (this.#served === served) return
    await this.#stopServer()
    this.#served = served
    const { DATABASE_URL = '' } = (await standard()).parts.environment
    const env = {
      ...this.#env,
      DATA_DIR: dataDirectory(),
      DATABASE_URL,
      HOST: '0.0.0.0',
      PORT: '3000',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'info',
      MEDIASOUP_WORKER_BIN: await mediaWorker(),
      SFU_ANNOUNCED_ADDRESS: ADDRESS,
      TURN_ANNOUNCED_ADDRESS: ADDRESS,
      // The laboratory's networks are those for documentation (RFC 5737), which TURN refuses by default.
      TURN_ALLOWED_PEERS: '198.51.100.0/24,203.0.113.0/24',
      ...variables,
    }
    this.#server = Bun.spawn(['bash', SCRIPT, 'exec', 'S', process.execPath, MAIN], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await this.#ready(this.#server, variables.MEDIA_WORKER !== 'off')
    this.url = `ws://${ADDRESS}:3000/ws`
  }

  async #ready(server: Bun.Subprocess<'ignore', 'pipe', 'ignore'>, hasSfu: boolean): Promise<void> {
    const decoder = new TextDecoder()
    let output = ''
    const timer = setTimeout(() => server.kill('SIGKILL'), START_MS_MAX)
    for await (const chunk of server.stdout) {
      output += decoder.decode(chunk)
      if (output.includes('listens on') && (!hasSfu || output.includes('media.ready'))) break
    }
    clearTimeout(timer)
    if (!output.includes('listens on')) throw new Error(`The server of the laboratory does not start: ${output}`)
  }

  /** The gateway, for this person. */
  gatewayOf = (who: Person): string => `${this.url}?token=${who.token}`

  async #stopServer(): Promise<void> {
    this.#server?.kill('SIGTERM')
    await this.#server?.exited
  }

  async close(): Promise<void> {
    await this.#stopServer()
    this.#run('down')
  }
}
