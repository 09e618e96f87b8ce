import { isUncertain } from './api.ts'
import type { Client, Surroundings } from './client.ts'
import type { SentDirect } from './ledger.ts'
import type { CallStep, Direct } from './plan.ts'
import type { World } from './world.ts'

const SEND_MS_MAX = 10_000
const AFTERWARDS_MS = 800
const RETRY_MS = 150

/** Carries out the plan's direct messages and calls. */
export class PrivateDoings {
  /** Unfinished actions. */
  underway = 0
  /** Direct messages of one client go one after another. */
  readonly #turns = new Map<number, Promise<void>>()

  constructor(
    private readonly clients: Client[],
    private readonly world: World,
    private readonly around: Surroundings,
  ) {}

  #client = (n: number) => this.clients[n] as Client

  call({ client, server }: CallStep): void {
    const { caller } = this.#client(client)
    caller.want(server === undefined ? undefined : this.world.places[server]?.channels.lounge)
  }

  direct({ from, to, afterwards }: Direct, n: number): void {
    const nonce = `d${n}`
    const sent: SentDirect = { nonce, from, to, content: `${nonce} ${'between two '.repeat(6)}` }
    this.around.ledger.directs.push(sent)
    this.#inTurn(from, async () => {
      await this.#send(sent)
      if (sent.id === undefined || !afterwards) return
      this.underway++
      void Bun.sleep(AFTERWARDS_MS).then(() => {
        this.#inTurn(afterwards === 'read' ? to : from, () => this.#afterwards(sent, afterwards))
        this.underway--
      })
    })
  }

  #inTurn(client: number, work: () => Promise<void>): void {
    this.underway++
    const { ended, ledger } = this.around
    const turn = (this.#turns.get(client) ?? Promise.resolve()).then(work).catch((error: unknown) => {
      if (!ended.aborted) ledger.violations.push(`direct messages of client ${client}: ${String(error)}`)
    })
    this.#turns.set(client, turn)
    void turn.then(() => this.underway--)
  }

  async #send(sent: SentDirect): Promise<void> {
    const { api, counts, ledger, ended } = this.around
    const body = { recipient_id: this.#client(sent.to).id, content: sent.content, nonce: sent.nonce }
    while (!ended.aborted) {
      const { token } = this.#client(sent.from)
      const answer = await api.call(token, 'POST', '/api/dm/messages', body, { ms_max: SEND_MS_MAX })
      if (answer.status === 200 || answer.status === 201) {
        sent.id = answer.body.id
        return void counts['direct messages']++
      }
      if (!isUncertain(answer)) {
        const refused = `${answer.status} ${answer.body?.code}`
        return void ledger.violations.push(`${sent.nonce} of client ${sent.from} was refused: ${refused}`)
      }
      await Bun.sleep(RETRY_MS)
    }
  }

  async #afterwards(sent: SentDirect, what: 'edit' | 'delete' | 'read'): Promise<void> {
    const { counts, ledger } = this.around
    counts['direct messages changed or read']++
    const path = `/api/dm/messages/${sent.id}`
    if (what === 'edit') sent.edited = 'maybe'
    if (what === 'delete') sent.deleted = 'maybe'
    const content = `${sent.nonce} edited`
    const requests: Record<typeof what, [method: string, path: string, body?: unknown]> = {
      edit: ['PUT', path, { content }],
      delete: ['DELETE', path],
      read: ['POST', `${path}/read`],
    }
    const { status } = await this.#client(what === 'read' ? sent.to : sent.from).insist(...requests[what])
    if (what === 'edit' && status === 200) Object.assign(sent, { edited: 'yes', content })
    if (what === 'delete' && status === 204) sent.deleted = 'yes'
    // A deletion whose first answer was lost finds nothing when it is repeated.
    if (status > 299 && !(status === 404 && what === 'delete'))
      ledger.violations.push(`${what} of ${sent.nonce} was refused: ${status}`)
  }
}
