import type { DirectMessage } from './node-messages.ts'

/** Number of nodes whose newest message number is remembered. */
const SENDERS_MAX = 1_000

type Listener = (from: string, body: unknown) => void

/** Delivers each message to this node once: after a lost connection, the last one may be repeated. */
export class NodeInbox {
  /** The number of the newest message, by sender. */
  readonly #newest = new Map<string, number>()
  readonly #listeners = new Map<string, Listener[]>()

  onMessage(kind: string, listener: Listener): void {
    this.#listeners.set(kind, [...(this.#listeners.get(kind) ?? []), listener])
  }

  receive({ node, seq, kind, body }: DirectMessage): void {
    if (seq <= (this.#newest.get(node) ?? 0)) return
    this.#newest.set(node, seq)
    if (this.#newest.size > SENDERS_MAX) this.#newest.delete(this.#newest.keys().next().value ?? node)
    for (const listener of this.#listeners.get(kind) ?? []) listener(node, body)
  }

  forget(node: string): void {
    this.#newest.delete(node)
  }
}
