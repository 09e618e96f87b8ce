import { until } from './until.ts'

/** A connection to Discord's door that speaks JSON: frames that came, and the code with which it ended. */
export class Line {
  readonly frames: any[] = []
  code: number | undefined
  readonly #socket: WebSocket

  constructor(url: string, path: string) {
    this.#socket = new WebSocket(`${url.replace('http', 'ws')}/discord/${path}`)
    this.#socket.onmessage = ({ data }) => void this.frames.push(JSON.parse(data))
    this.#socket.onclose = ({ code }) => void (this.code = code)
  }

  async send(op: number, d: unknown): Promise<void> {
    await until(() => this.#socket.readyState !== WebSocket.CONNECTING)
    this.#socket.send(JSON.stringify({ op, d }))
  }

  async next(isWanted: (frame: any) => boolean): Promise<any> {
    await until(() => this.frames.some(isWanted))
    return this.frames.find(isWanted).d
  }

  async ends(): Promise<number | undefined> {
    await until(() => this.code !== undefined)
    return this.code
  }

  close = (code = 1000) => this.#socket.close(code)
}
