import { ClientEvents } from './client-events.ts'
import type { Person } from './harness.ts'
import { connect, type Frame, Gateway, newestS } from './socket.ts'

/** A client with a socket that a test cuts and resumes. */
export class ClientModel extends ClientEvents {
  #consumed = 0

  private constructor(
    override readonly who: Person,
    public gateway: Gateway,
  ) {
    super(who)
  }

  static async open(who: Person): Promise<ClientModel> {
    const model = new ClientModel(who, await connect(who))
    await model.settle()
    return model
  }

  /** Closes the connection. */
  async cut(): Promise<void> {
    this.gateway.close()
    await this.gateway.closed
    await this.#take()
  }

  /** Connects again with the newest `s` received. */
  async resume(): Promise<void> {
    const s = newestS(this.gateway)
    this.gateway = await connect(this.who, `&s=${s}`)
    this.#consumed = 0
    await this.settle()
  }

  /** Applies everything that was sent to this client. */
  async settle(): Promise<void> {
    await this.gateway.settled()
    await this.#take()
  }

  async #take(): Promise<void> {
    while (this.#consumed < this.gateway.frames.length) await this.take(this.gateway.frames[this.#consumed++] as Frame)
  }
}
