import { z } from 'zod'
import {
  KEY_CHARS_MAX,
  ROW_CHARS_MAX,
  type Row,
  ROWS_PER_NODE_MAX,
  TABLE_CHARS_MAX,
  type Tables,
} from './node-tables.ts'

/** A node that says nothing for so long is dead: five beats. Source: issue 8, "forgets a dead node's within 15 s". */
const SILENCE_MS_MAX = 10_000
/** How long an answer is waited for before it is asked for again. */
const ASK_MS = 1_000
/** More there cannot be: what names itself beyond that is not believed. */
const NODES_MAX = 256

const NodeId = z.string().regex(/^[0-9a-f]{16}$/)
const Seq = z.int().nonnegative()
const Rows = z.array(
  z.tuple([z.string().max(TABLE_CHARS_MAX), z.string().max(KEY_CHARS_MAX), z.string().max(ROW_CHARS_MAX).nullable()]),
)

/** What nodes say to all. `seq` counts a node's changes: who has missed one asks for the whole. */
export const Word = z.discriminatedUnion('say', [
  /** I am here; `hello` asks everyone to say so too. `sent_at` is for the sender, who hears itself. */
  z.object({ say: z.literal('beat'), node: NodeId, seq: Seq, sent_at: z.number(), hello: z.boolean() }),
  z.object({ say: z.literal('changes'), node: NodeId, seq: Seq, rows: Rows }),
  z.object({ say: z.literal('want'), node: NodeId, of: NodeId }),
  /** All rows as they are after change `seq`, in parts that come one after another. */
  z.object({ say: z.literal('whole'), node: NodeId, seq: Seq, part: Seq, parts: Seq, rows: Rows }),
  z.object({ say: z.literal('gone'), node: NodeId }),
])
export type Word = z.infer<typeof Word>
type Whole = Extract<Word, { say: 'whole' }>

/** What one node says to another; numbered, so that nothing counts twice. */
export const Letter = z.object({ node: NodeId, seq: Seq, kind: z.string().max(TABLE_CHARS_MAX), body: z.unknown() })
export type Letter = z.infer<typeof Letter>

interface Peer {
  heard_at: number
  /** The newest change that is in its rows here. */
  seq: number
  /** Whether nothing before that is missing. */
  complete: boolean
  asked_at: number
  /** Of a whole that is on its way, what has come. */
  arriving: { seq: number; parts: number; rows: Row[] }
}

/**
 * What is known of the other nodes, from what they say. Times are milliseconds of one steady clock.
 * @param ask asks a node for its whole
 * @param onGone called when a node's rows are forgotten
 */
export function openPeers(tables: Tables, ask: (node: string) => void, onGone: (node: string, died: boolean) => void) {
  const peers = new Map<string, Peer>()

  function drop(node: string, died: boolean): void {
    if (!peers.delete(node)) return
    tables.forget(node, died)
    onGone(node, died)
  }

  function lacks(node: string, peer: Peer, now: number): void {
    peer.complete = false
    if (now - peer.asked_at < ASK_MS) return
    peer.asked_at = now
    ask(node)
  }

  function takeWhole(peer: Peer, { node, seq, part, parts, rows }: Whole): void {
    if (peer.complete && seq <= peer.seq) return
    if (part === 0) peer.arriving = { seq, parts: 0, rows: [] }
    const { arriving } = peer
    // A part is missing: it will be asked for again.
    if (arriving.seq !== seq || arriving.parts !== part) return
    arriving.parts++
    if (arriving.rows.length + rows.length <= ROWS_PER_NODE_MAX) for (const row of rows) arriving.rows.push(row)
    if (arriving.parts < parts) return
    tables.replace(node, arriving.rows)
    Object.assign(peer, { seq, complete: true, arriving: nothing() })
  }

  return {
    names: () => [...peers.keys()],
    /** What another node has said to all. */
    heard(word: Word, now: number): void {
      const { node } = word
      if (word.say === 'gone') return drop(node, false)
      if (!peers.has(node) && peers.size >= NODES_MAX) return
      // One that is new has said nothing yet, or else its numbers tell what is missing.
      const peer = peers.get(node) ?? { heard_at: now, seq: 0, complete: true, asked_at: -ASK_MS, arriving: nothing() }
      peers.set(node, peer)
      peer.heard_at = now
      if (word.say === 'whole') takeWhole(peer, word)
      else if (word.say === 'changes' && peer.complete && word.seq === peer.seq + 1) {
        for (const row of word.rows) tables.set(node, row)
        peer.seq = word.seq
      } else if (word.say !== 'want' && (!peer.complete || word.seq > peer.seq)) lacks(node, peer, now)
    },
    /** @param since when this node began to hear: who was silent before that is not blamed */
    dropSilent(now: number, since: number): void {
      for (const [node, { heard_at }] of peers) if (now - Math.max(heard_at, since) > SILENCE_MS_MAX) drop(node, true)
    },
  }
}

const nothing = () => ({ seq: -1, parts: 0, rows: [] })
