import type { Transaction } from '../database/database.ts'
import type { Notice } from './bus.ts'

/** The application_name of a listening connection while its node rechecks everything. */
export const NEWCOMER_NAME = 'parley-relay-newcomer'
/** The channel on which nodes listen. */
export const NOTICE_CHANNEL = 'parley_relay'
/** The channel on which a sender listens for receipts. */
export const receiptChannel = (sender: string): string => `parley_acted_${sender}`
/** A payload has to be shorter than 8,000 bytes. Source: PostgreSQL, NOTIFY. */
const PART_BYTES_MAX = 7_900

/** What one transaction sends to the nodes: its notices, and the ids of its events in the log. */
export interface NoticeBatch {
  /** The sender's name, for receipts. */
  from: string
  id: number
  notices: Notice[]
  event_ids: number[]
}

/** Sends a batch in the transaction, in as many parts as it takes: nodes get it at the commit. */
export async function notifyBatch(tx: Transaction, batch: NoticeBatch): Promise<void> {
  // Ids and names of ours: as many bytes as characters.
  const text = JSON.stringify(batch)
  const of = Math.ceil(text.length / PART_BYTES_MAX)
  for (let at = 0; at < of; at++) {
    const part = text.slice(at * PART_BYTES_MAX, (at + 1) * PART_BYTES_MAX)
    await tx`select pg_notify(${NOTICE_CHANNEL}, ${`${at + 1}/${of} ${part}`})`
  }
}

/**
 * Puts the parts of batches together. The parts of one transaction arrive one after another (PostgreSQL, NOTIFY).
 * @returns takes one payload after another
 * @throws SyntaxError when a whole batch is not JSON
 */
export function batchReader(onBatch: (batch: NoticeBatch) => void) {
  let parts: string[] = []
  return (payload: string): void => {
    const [, at, of, part = ''] = /^(\d+)\/(\d+) (.*)$/s.exec(payload) ?? []
    if (Number(at) === 1) parts = []
    parts.push(part)
    if (parts.length !== Number(of)) return
    const batch: NoticeBatch = JSON.parse(parts.join(''))
    onBatch(batch)
  }
}
