import { connect, createServer, type Server, type Socket } from 'node:net'

/** A line to a server that can be cut and mended: the browser's address stays the same. */
export class Line {
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0

  private constructor(private readonly to: URL) {}

  static async to(url: string): Promise<Line> {
    const line = new Line(new URL(url))
    await line.mend()
    return line
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  cut(): void {
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async mend(): Promise<void> {
    const server = createServer((socket) => {
      const onward = connect(Number(this.to.port), this.to.hostname)
      for (const end of [socket, onward]) {
        this.#sockets.add(end)
        end.on('error', () => {})
        end.on('close', () => {
          this.#sockets.delete(end)
          socket.destroy()
          onward.destroy()
        })
      }
      socket.pipe(onward).pipe(socket)
    })
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', () => resolve()))
    const address = server.address()
    if (typeof address === 'object' && address) this.#port = address.port
    this.#server = server
  }
}
