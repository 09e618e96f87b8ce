import type { Socket } from 'bun'

/** Bytes that a direction buffers before it stops reading. */
const HELD_BYTES_MAX = 64 * 1024
/** Bytes per interval of a slowed connection. */
const SLOW_BYTES = 2048
const SLOW_EVERY_MS = 25

type Pace = 'open' | 'slow' | 'stalled'

/** One direction of a connection, with a bounded buffer. */
class Lane {
  readonly #queue: Uint8Array[] = []
  #bytes = 0
  #isPaused = false
  #hasEnded = false
  #timer: Timer | undefined
  from: Socket<Link> | undefined
  to: Socket<Link> | undefined

  constructor(private readonly link: Link) {}

  take(data: Uint8Array): void {
    this.#queue.push(new Uint8Array(data))
    this.#bytes += data.length
    this.flush()
  }

  /** Writes as fast as the pace allows; stops reading when the buffer is full. */
  flush(): void {
    const { pace } = this.link
    if (this.to && pace === 'open') this.#write(Infinity)
    else if (pace === 'slow' && this.#bytes > 0)
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        if (this.to) this.#write(SLOW_BYTES)
        this.flush()
      }, SLOW_EVERY_MS)
    const isFull = this.#bytes > HELD_BYTES_MAX || pace === 'stalled'
    if (isFull && !this.#isPaused) this.from?.pause()
    if (!isFull && this.#isPaused) this.from?.resume()
    this.#isPaused = isFull
    if (this.#hasEnded && this.#bytes === 0) this.to?.end()
  }

  #write(room: number): void {
    while (this.#queue.length > 0 && room > 0) {
      const [data] = this.#queue as [Uint8Array]
      const offered = data.length > room ? data.subarray(0, room) : data
      const written = Math.max(0, this.to?.write(offered) ?? 0)
      this.#bytes -= written
      room -= written
      if (written === data.length) this.#queue.shift()
      else this.#queue[0] = data.subarray(written)
      if (written < offered.length) return
    }
  }

  /** The source has ended: the buffer is still delivered. */
  end(): void {
    this.#hasEnded = true
    this.flush()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#queue.length = this.#bytes = 0
  }
}

/** A client's connection and the node's behind it. */
class Link {
  pace: Pace = 'open'
  readonly up = new Lane(this)
  readonly down = new Lane(this)

  constructor(readonly client: Socket<Link>) {
    this.up.from = this.down.to = client
  }

  attach(node: Socket<Link>): void {
    this.up.to = this.down.from = node
    this.up.flush()
  }

  setPace(pace: Pace): void {
    this.pace = pace
    this.up.flush()
    this.down.flush()
  }

  cut(): void {
    this.up.close()
    this.down.close()
    this.client.terminate()
    this.down.from?.terminate()
  }
}

export type Proxy = ReturnType<typeof openProxy>

/**
 * A load balancer without sticky sessions: each connection goes to the next node, and if that refuses, to the one after
 * it. Its connections can be cut, slowed and stalled.
 * @param ports the nodes' present ports
 */
export function openProxy(ports: () => number[]) {
  const links = new Set<Link>()
  let next = 0
  let refused = 0

  const drop = (link: Link) => {
    links.delete(link)
    link.cut()
  }
  async function connect(link: Link): Promise<void> {
    const among = ports()
    for (let tries = 0; tries < among.length; tries++) {
      const port = among[next++ % among.length] as number
      try {
        await Bun.connect<Link>({ hostname: '127.0.0.1', port, data: link, socket: nodeSide })
        return
      } catch {
        refused++
      }
    }
    drop(link)
  }
  const nodeSide = {
    data: ({ data: link }: Socket<Link>, bytes: Uint8Array) => link.down.take(bytes),
    drain: ({ data: link }: Socket<Link>) => link.up.flush(),
    open: (socket: Socket<Link>) => (links.has(socket.data) ? socket.data.attach(socket) : socket.terminate()),
    end: ({ data: link }: Socket<Link>) => link.down.end(),
    close: ({ data: link }: Socket<Link>) => link.down.end(),
    error: ({ data: link }: Socket<Link>) => drop(link),
    connectError: () => {},
  }
  const listener = Bun.listen<Link>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        const link = new Link(socket)
        socket.data = link
        links.add(link)
        void connect(link)
      },
      data: ({ data: link }, bytes) => link.up.take(bytes),
      drain: ({ data: link }) => link.down.flush(),
      // The client is gone: nothing more is delivered, in either direction.
      close: ({ data: link }) => drop(link),
      error: ({ data: link }) => drop(link),
    },
  })
  return {
    url: `http://127.0.0.1:${listener.port}`,
    /** Number of times that a node refused and the next one was tried. */
    refused: () => refused,
    count: () => links.size,
    /** A share of the present connections; 1 is all. */
    some: (part: number) => [...links].filter((_, at) => (at * 0.618034) % 1 < part),
    cut: (chosen: Iterable<Link>) => {
      for (const link of chosen) drop(link)
    },
    pace(chosen: Iterable<Link>, pace: Pace) {
      for (const link of chosen) if (links.has(link)) link.setPace(pace)
    },
    stop() {
      listener.stop(true)
      for (const link of links) drop(link)
    },
  }
}
