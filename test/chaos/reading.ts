import { ClientEvents } from '../support/client-events.ts'
import type { Row } from '../support/client-memory.ts'
import type { Client } from './client.ts'

const PAGE = 100
const PAGES_MAX = 50
/** A committed event may arrive this late when parts are away. */
const LATE_MS = 15_000

/** In a channel that is new to it, reads back to a message that it had, or to the start of its membership. */
export class ReadingModel extends ClientEvents {
  constructor(
    private readonly client: Client,
    private readonly floor: number,
  ) {
    super(client)
  }

  protected override async history(channelId: number): Promise<Row[]> {
    const { around, n } = this.client
    const rows: Row[] = []
    const since = Math.max(this.floor, around.ledger.seesSince(n, channelId) ?? Date.now()) - LATE_MS
    for (let page = 0; page < PAGES_MAX; page++) {
      const before = rows.length === 0 ? '' : `&before=${rows.at(-1)?.id}`
      const { status, body } = await this.client.get(`/api/channels/${channelId}/messages?limit=${PAGE}${before}`)
      if (status !== 200) break
      around.counts['histories fetched']++
      rows.push(...body)
      if (body.length < PAGE || Date.parse(body.at(-1).created_at) < since) break
    }
    for (const row of rows) this.client.see(row.id)
    this.client.note(`history of ${channelId}: ${rows.length}, the newest ${rows[0]?.id}`)
    return rows
  }
}
