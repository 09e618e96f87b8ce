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
  acted(secondsMax: number): Promise<number>
  close(): Promise<void>
}

export async function openStandaloneSender(address: DatabaseAddress): Promise<StandaloneSender> {
  const name = crypto.randomUUID().replaceAll('-', '')
  const sentIds = new Set<number>()
  const connection = openDatabase(address, 1, 'parley-sender', undefined, (_channel, payload) =>
    sender.receive(payload),
  )
  const sender = new NoticeSender(connection, name)
  await connection`listen ${connection(receiptChannel(name))}`
  return {
    async send(tx, notices, eventIds) {
      if (notices.length === 0 && eventIds.length === 0) return undefined
      const id = await sender.send(tx, notices, eventIds)
      sentIds.add(id)
      return { acted: async () => {}, drop: () => void sentIds.delete(id) }
    },
    async acted(secondsMax) {
      const deliveries = await Promise.all([...sentIds].map((id) => sender.acted(id, secondsMax)))
      sentIds.clear()
      return new Set(deliveries.flatMap(({ silent }) => silent)).size
    },
    close: () => connection.end({ timeout: 1 }),
  }
}
