import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../ports.ts'

/** A line to a server that can be cut and mended: the browser's address stays the same. */
export class Line {
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  readonly #port = freePort()
  /** Bytes that the server has sent over it. */
  carried = 0

  private constructor(private readonly to: URL) {}

  static async to(url: string): Promise<Line> {
    const line = new Line(new URL(url))
    await line.mend()
    return line
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Takes connections and never answers, as a network does that has lost its way. */
  async hang(): Promise<void> {
    this.cut()
    await this.#listen((socket) => this.#note(socket))
  }

  /** Carries nothing more over its open connections, without ending them, as for a device that was asleep. */
  stall(): void {
    for (const socket of this.#sockets) {
      socket.unpipe()
      socket.pause()
    }
  }

  cut(): void {
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async mend(): Promise<void> {
    this.cut()
    await this.#listen((socket) => {
      const onward = connect(Number(this.to.port), this.to.hostname)
      for (const end of [socket, onward]) {
        this.#note(end)
        end.on('close', () => {
          socket.destroy()
          onward.destroy()
        })
      }
      onward.on('data', ({ length }) => (this.carried += length))
      socket.pipe(onward).pipe(socket)
    })
  }

  #note(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
  }

  async #listen(take: (socket: Socket) => void): Promise<void> {
    const server = createServer(take)
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', () => resolve()))
    this.#server = server
  }
}
