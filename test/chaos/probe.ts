import { openApi } from './api.ts'
import type { Cluster, Node } from './cluster.ts'
import type { Recovery } from './recovery.ts'

const EVERY_MS = 50
const ANSWER_MS_MAX = 5_000
const KEPT = 1000

/**
 * Sends to the living nodes in turn, past the proxy, and notes when each message has reached a socket at every
 * living node.
 * @param account owns the sockets, and is the only member of the channel
 * @param onSent called for every acknowledged message
 */
export function openProbe(
  cluster: Cluster,
  recovery: Recovery,
  account: { token: string; channel_id: number },
  onSent: (beganAt: number, acknowledgedAt: number) => void,
) {
  const begun = new Map<string, { at: number; nodes: Set<number> }>()
  /** When a message began, and when it had reached every living node; both ascend. */
  const reached: { began_at: number; at: number }[] = []
  let [n, stopped] = [0, false]

  function arrived(nonce: string, node: Node): void {
    const message = begun.get(nonce)
    if (!message) return
    message.nodes.add(node.at)
    if (!cluster.living().every(({ at }) => message.nodes.has(at))) return
    const at = Date.now()
    recovery.everywhere(message.at, at, message.nodes)
    if (message.at > (reached.at(-1)?.began_at ?? 0)) reached.push({ began_at: message.at, at })
  }

  /** Keeps a socket open to the node, over all its restarts. */
  async function listen(node: Node): Promise<void> {
    while (!stopped) {
      const { url } = node
      if (url) {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${account.token}`)
        const { promise, resolve } = Promise.withResolvers<void>()
        socket.onclose = () => resolve()
        socket.onmessage = ({ data }) => {
          const { t, d } = JSON.parse(String(data))
          if (t === 'message.created' && d.nonce) arrived(d.nonce, node)
          if (stopped) socket.close()
        }
        await promise
      }
      await Bun.sleep(EVERY_MS)
    }
  }

  const timer = setInterval(() => {
    const living = cluster.living()
    const node = living[n % living.length]
    if (!node?.url) return
    const nonce = `probe${n++}`
    const at = Date.now()
    begun.set(nonce, { at, nodes: new Set() })
    if (begun.size > KEPT) begun.delete(begun.keys().next().value as string)
    const path = `/api/channels/${account.channel_id}/messages`
    void openApi(node.url)
      .call(account.token, 'POST', path, { content: nonce, nonce }, { ms_max: ANSWER_MS_MAX })
      .then(({ status }) => status === 201 && onSent(at, Date.now()))
  }, EVERY_MS)
  for (const node of cluster.nodes) void listen(node)
  return {
    /** The time when a message that began no earlier had reached every living node; Infinity if none has. */
    reachedAll(beganAt: number): number {
      let [from, to] = [0, reached.length]
      while (from < to) {
        const middle = (from + to) >> 1
        if ((reached[middle]?.began_at ?? 0) < beganAt) from = middle + 1
        else to = middle
      }
      return reached[from]?.at ?? Infinity
    },
    stop() {
      stopped = true
      clearInterval(timer)
    },
  }
}
