import type { Transaction } from '../database/database.ts'
import type { Notice } from './bus.ts'

/** The application_name of a listening connection while its node rechecks everything. */
export const NEWCOMER_NAME = 'parley-relay-newcomer'
/** The PostgreSQL channel on which nodes listen. */
export const NOTICE_CHANNEL = 'parley_relay'
/** The PostgreSQL channel on which a sender listens for receipts. */
export const receiptChannel = (sender: string): string => `parley_acted_${sender}`
/** NOTIFY limits a payload to less than 8,000 bytes. Source: PostgreSQL, NOTIFY. */
const PART_BYTES_MAX = 7_900

/** The notices of one transaction, and the ids of its events in the log. */
export interface NoticeBatch {
  /** The sender's name, for receipts. */
  from: string
  id: number
  notices: Notice[]
  event_ids: number[]
}

/** Sends a batch in the transaction, split into parts: nodes receive it at the commit. */
export async function notifyBatch(tx: Transaction, batch: NoticeBatch): Promise<void> {
  // All ASCII (ids and fixed names), so characters are bytes.
  const text = JSON.stringify(batch)
  const partCount = Math.ceil(text.length / PART_BYTES_MAX)
  for (let at = 0; at < partCount; at++) {
    const part = text.slice(at * PART_BYTES_MAX, (at + 1) * PART_BYTES_MAX)
    await tx`select pg_notify(${NOTICE_CHANNEL}, ${`${at + 1}/${partCount} ${part}`})`
  }
}

/**
 * Reassembles batches. The parts of one transaction arrive consecutively (PostgreSQL, NOTIFY).
 * @returns a function that takes one payload after another
 * @throws SyntaxError if a complete batch is not JSON
 */
export function batchReader(onBatch: (batch: NoticeBatch) => void) {
  let parts: string[] = []
  return (payload: string): void => {
    const [, at, partCount, part = ''] = /^(\d+)\/(\d+) (.*)$/s.exec(payload) ?? []
    if (Number(at) === 1) parts = []
    parts.push(part)
    if (parts.length !== Number(partCount)) return
    const batch: NoticeBatch = JSON.parse(parts.join(''))
    onBatch(batch)
  }
}
