import { z } from 'zod'
import { KEY_CHARS_MAX, ROW_CHARS_MAX, type Row, TABLE_CHARS_MAX } from './node-tables.ts'

const NodeId = z.string().regex(/^[0-9a-f]{16}$/)
const Seq = z.int().nonnegative()
const Rows = z.array(
  z.tuple([z.string().max(TABLE_CHARS_MAX), z.string().max(KEY_CHARS_MAX), z.string().max(ROW_CHARS_MAX).nullable()]),
)

/**
 * Messages to all nodes. `seq` counts the sender's changes: a node that missed one requests all rows. Nodes of
 * different versions exchange these, so the names must not change.
 */
export const Broadcast = z.discriminatedUnion('say', [
  /** The sender is alive; with `hello`, every node answers with a beat. The sender measures delays with `sent_at`. */
  z.object({ say: z.literal('beat'), node: NodeId, seq: Seq, sent_at: z.number(), hello: z.boolean() }),
  z.object({ say: z.literal('changes'), node: NodeId, seq: Seq, rows: Rows }),
  /** Asks the node `of` for all its rows. */
  z.object({ say: z.literal('want'), node: NodeId, of: NodeId }),
  /** All rows as of change `seq`, in consecutive parts. */
  z.object({ say: z.literal('whole'), node: NodeId, seq: Seq, part: Seq, parts: Seq, rows: Rows }),
  z.object({ say: z.literal('gone'), node: NodeId }),
])
export type Broadcast = z.infer<typeof Broadcast>
/** Part of all rows of a node. */
export type RowsPart = Extract<Broadcast, { say: 'whole' }>

/** A message to one node. Numbered, so that a repeated message counts once. */
export const DirectMessage = z.object({
  node: NodeId,
  seq: Seq,
  kind: z.string().max(TABLE_CHARS_MAX),
  body: z.unknown(),
})
export type DirectMessage = z.infer<typeof DirectMessage>

/** Size of the rows in one message; a single row may be longer. */
const PART_CHARS_MAX = 32_768

/** Splits rows into parts, one per message. */
export function partsOf(rows: Row[]): Row[][] {
  const parts: Row[][] = []
  let chars = Infinity
  for (const row of rows) {
    const size = row[0].length + row[1].length + (row[2] ?? '').length
    if (chars + size > PART_CHARS_MAX) {
      parts.push([])
      chars = 0
    }
    parts.at(-1)?.push(row)
    chars += size
  }
  return parts
}
