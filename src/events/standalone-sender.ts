import { type DatabaseAddress, openDatabase } from '../database/database.ts'
import { receiptChannel } from './notice-delivery.ts'
import { NoticeSender } from './notice-sender.ts'
import type { SendNotices } from './write.ts'

/** Sends notices from a process that is no node, such as an admin command. */
export interface StandaloneSender {
  /** For openWrite. */
  send: SendNotices
  /**
   * Waits until every node that listened at the commit has acted on the notices.
   * @returns how many nodes have not confirmed in time
   */
  acted(seconds_max: number): Promise<number>
  close(): Promise<void>
}

export async function openStandaloneSender(address: DatabaseAddress): Promise<StandaloneSender> {
  const name = crypto.randomUUID().replaceAll('-', '')
  const sent = new Set<number>()
  const connection = openDatabase(address, 1, 'parley-sender', undefined, (_channel, payload) =>
    sender.receive(payload),
  )
  const sender = new NoticeSender(connection, name)
  await connection`listen ${connection(receiptChannel(name))}`
  return {
    async send(tx, notices, event_ids) {
      if (notices.length === 0 && event_ids.length === 0) return undefined
      const id = await sender.send(tx, notices, event_ids)
      sent.add(id)
      return { acted: async () => {}, drop: () => void sent.delete(id) }
    },
    async acted(seconds_max) {
      const deliveries = await Promise.all([...sent].map((id) => sender.acted(id, seconds_max)))
      sent.clear()
      return new Set(deliveries.flatMap(({ silent }) => silent)).size
    },
    close: () => connection.end({ timeout: 1 }),
  }
}
