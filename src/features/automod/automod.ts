import { Problem } from '../../core/errors.ts'
import type { Judge, Match, Saying, Settle } from '../../core/judge.ts'
import { type Permission, holds } from '../../core/permissions.ts'
import type { Sql } from '../../database/database.ts'
import type { Limiter } from '../../http/limits/limiter.ts'
import type { Parts } from '../../parts.ts'
import { type CompiledRules, compileRules } from './compiled-rules.ts'
import type { Rule } from './model.ts'
import { type JudgedFile, textsOfFile } from './rule-set.ts'
import { PatternPauses } from './pattern-pauses.ts'
import { ruleVersion, selectRules } from './rules.ts'
import { isSpam } from './spam.ts'
import { matchesIn } from './try-rules.ts'

/** Words of all compiled servers together; the least recently used ones are compiled again when needed. */
const WORDS_KEPT_MAX = 300_000
/** Channels whose server is remembered. */
const CHANNELS_KEPT_MAX = 50_000

/** The author of what is judged, as far as exemptions depend on it. */
interface Standing {
  kind: 'person' | 'guest' | 'bot' | 'webhook' | 'imported'
  role_ids: number[]
  /** The channel, its parent and its parent's parent; empty outside of channels. */
  channel_ids: number[]
  is_thread: boolean
  permissions: number | null
  /** The message was sent before: its nonce answers it again. */
  is_repeated: boolean
}

/** A text that breaks rules. */
export interface Breach {
  server_id: number
  user_id: number
  /** Null for a name. */
  channel_id: number | null
  rules: Rule[]
  /** Words, patterns and the like that rules found, by the ids of rules. Rules about spam find nothing. */
  finds: ReadonlyMap<number, string>
  texts: string[]
  nonce: string | null
}

const nothingToSettle = async (): Promise<void> => {}

/**
 * Judges texts by the rules of their servers, before anything is written. Rules are compiled at the first text after a
 * change; a change reaches every process before it is answered, so a text that is sent afterwards is judged by the new
 * rules. Servers without rules cost one look into a set, and nothing while no server has any.
 */
export class Automod implements Judge {
  /** Servers that may have rules; undefined until they have been read. */
  #ruled: Set<number> | undefined
  /** Least recently used first. */
  readonly #compiled = new Map<number, { rules: CompiledRules; version: string }>()
  /** Compilations that have not ended, which concurrent texts share. */
  readonly #compiling = new Map<number, { rules: Promise<CompiledRules>; version: string }>()
  readonly #pauses = new PatternPauses()
  #wordsKept = 0
  readonly #serverOf = new Map<number, number | null>()
  /** Counts changes: what was read before a change must not be kept after it. */
  #changes = 0
  /** True while changes on other processes reach this one; otherwise versions are compared at each text. */
  #isConnected = true
  #reading: Promise<void> | undefined

  /**
   * @param limiter counts messages for rules about spam, whether or not rate limits are on
   * @param act does what broken rules say besides blocking; resolves when that is done
   */
  constructor(
    private readonly parts: Pick<Parts, 'sql' | 'bus' | 'log'>,
    private readonly limiter: Limiter,
    private readonly act: (breach: Breach) => Promise<void>,
  ) {
    parts.bus.onNotice((notice) => {
      if (notice.kind === 'disconnected' || notice.kind === 'connected') {
        this.#isConnected = notice.kind === 'connected'
        this.#changes++
        this.#ruled = undefined
        // Changes were missed, and from now on versions are no longer compared.
        if (this.#isConnected) for (const id of this.#compiled.keys()) this.#forget(id)
      }
      if (notice.kind !== 'automod_changed') return
      this.#changes++
      this.#ruled?.add(notice.server_id)
      this.#forget(notice.server_id)
    })
  }

  isIdle(): boolean {
    return this.#isConnected && this.#ruled?.size === 0
  }

  async demand(saying: Saying): Promise<Settle> {
    const breach = await this.#breachOf(saying)
    if (!breach) return nothingToSettle
    const block = breach.rules.flatMap(({ actions }) => actions).find((action) => action.type === 'block')
    if (!block) return () => this.act(breach)
    await this.act(breach)
    throw new Problem('automod_blocked', block.message ?? undefined)
  }

  async breaks(saying: Saying): Promise<boolean> {
    const breach = await this.#breachOf(saying)
    if (breach) await this.act(breach)
    return breach !== undefined
  }

  async #breachOf(saying: Saying): Promise<Breach | undefined> {
    if (this.#isConnected && !this.#ruled) await this.#readRuled()
    if (this.isIdle()) return undefined
    const server_id = await this.#serverAt(saying.place)
    if (server_id === null || (this.#isConnected && this.#ruled?.has(server_id) === false)) return undefined
    const compiled = await this.#rulesOf(server_id)
    if (compiled.count === 0) return undefined
    const { texts, files } = await this.#attached(saying)
    const allTexts = [...saying.texts, ...texts]
    const judging = saying.isName ? compiled.names : compiled.texts
    const hits = judging.judge(allTexts, files, this.#pauses.isPaused(server_id))
    const spam = saying.isNew ? compiled.spam : []
    if (hits.length + spam.length === 0) return undefined
    const standing = await standingOf(this.parts.sql, saying, server_id)
    // Somebody who may not write there at all hears that, and nothing of the rules.
    if (!standing || standing.is_repeated || !mayWrite(standing, saying.bit)) return undefined
    const rules = hits.flatMap(({ rule }) => (concerns(rule, standing) ? [rule] : []))
    for (const one of spam)
      if (concerns(one.rule, standing) && (await isSpam(this.limiter, one, saying.author_id, allTexts)))
        rules.push(one.rule)
    if (rules.length === 0) return undefined
    return {
      server_id,
      user_id: saying.author_id,
      channel_id: 'channel_id' in saying.place ? saying.place.channel_id : null,
      rules,
      finds: new Map(hits.map(({ rule, found }) => [rule.id, found])),
      texts: [...allTexts, ...files.flatMap(textsOfFile)].filter((text) => text !== ''),
      nonce: saying.nonce ?? null,
    }
  }

  async matchesIn(serverId: number, content: string): Promise<Match[]> {
    return matchesIn((await this.#rulesOf(serverId)).texts, content, () => Bun.sleep(0))
  }

  /** The enabled rules of a server, compiled. */
  async #rulesOf(server_id: number): Promise<CompiledRules> {
    const latest = this.#compiled.get(server_id)
    if (latest) {
      this.#compiled.delete(server_id)
      this.#compiled.set(server_id, latest)
      if (this.#isConnected) return latest.rules
    }
    const version = await ruleVersion(this.parts.sql, server_id)
    const current = [this.#compiled.get(server_id), this.#compiling.get(server_id)].find(
      (each) => each?.version === version,
    )
    if (current) return current.rules
    const compilation = { rules: this.#compile(server_id, version), version }
    this.#compiling.set(server_id, compilation)
    return compilation.rules.finally(() => {
      if (this.#compiling.get(server_id) === compilation) this.#compiling.delete(server_id)
    })
  }

  /** @param version was read before, so the rules are at least as new */
  async #compile(server_id: number, version: string): Promise<CompiledRules> {
    const changes = this.#changes
    const rows = await selectRules(this.parts.sql, this.parts.sql`a.server_id = ${server_id} and a.enabled`)
    const rules = await compileRules(
      rows,
      () => Bun.sleep(0),
      () => this.#pausePatterns(server_id),
    )
    if (changes !== this.#changes) return rules
    if (rows.length === 0) this.#ruled?.delete(server_id)
    else this.#keep(server_id, { rules, version })
    return rules
  }

  #pausePatterns(server_id: number): void {
    const pauseMs = this.#pauses.note(server_id)
    if (pauseMs > 0) this.parts.log('warn', 'automod.patterns_paused', { server_id, seconds: pauseMs / 1000 })
  }

  #keep(server_id: number, compilation: { rules: CompiledRules; version: string }): void {
    this.#forget(server_id)
    this.#compiled.set(server_id, compilation)
    this.#wordsKept += compilation.rules.size
    for (const id of this.#compiled.keys()) {
      if (this.#wordsKept <= WORDS_KEPT_MAX || id === server_id) break
      this.#forget(id)
    }
  }

  #forget(server_id: number): void {
    this.#wordsKept -= this.#compiled.get(server_id)?.rules.size ?? 0
    this.#compiled.delete(server_id)
  }

  /** Reads which servers have rules. Concurrent callers share one read. */
  #readRuled(): Promise<void> {
    this.#reading ??= (async () => {
      const changes = this.#changes
      const rows = await this.parts.sql<{ server_id: number }[]>`
        select distinct server_id from automod_rules where enabled`
      if (changes === this.#changes) this.#ruled = new Set(rows.map(({ server_id }) => server_id))
    })().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  /** The server of a channel, which never changes; null for a dm or group, and for no channel. */
  async #serverAt(place: Saying['place']): Promise<number | null> {
    if ('server_id' in place) return place.server_id
    const server_id = this.#serverOf.get(place.channel_id)
    if (server_id !== undefined) return server_id
    const [row] = await this.parts.sql<{ server_id: number | null }[]>`
      select server_id from channels where id = ${place.channel_id}`
    if (!row) return null
    for (const id of this.#serverOf.keys()) {
      if (this.#serverOf.size < CHANNELS_KEPT_MAX) break
      this.#serverOf.delete(id)
    }
    this.#serverOf.set(place.channel_id, row.server_id)
    return row.server_id
  }

  /** The files that would be attached, and the text and files of what would be forwarded. */
  async #attached(saying: Saying): Promise<{ texts: string[]; files: JudgedFile[] }> {
    const { author_id, file_ids = [], files: announced = [], forward_message_id = null, sticker_id = null } = saying
    if (file_ids.length === 0 && forward_message_id === null && sticker_id === null)
      return { texts: [], files: announced }
    const { sql } = this.parts
    const stored = await sql<JudgedFile[]>`
      select f.filename, f.content_type, f.alt from files f
      where f.id = any(${file_ids}) and f.uploader_id = ${author_id}
        or f.message_id = ${forward_message_id} and may_see(f, ${author_id})`
    const files = [...announced, ...stored]
    const stickers = await sql<{ name: string; alt: string }[]>`
      select s.name, s.alt from stickers s where s.id = ${sticker_id}::bigint and s.deleted_at is null
        and exists (select from members m where m.server_id = s.server_id and m.user_id = ${author_id})`
    const texts = stickers.flatMap(({ name, alt }) => [name, alt])
    if (forward_message_id === null) return { texts, files }
    // A message that itself only forwards another shows the text of that one.
    const [message] = await sql<Record<'content' | 'forwarded' | 'poll' | 'sticker', string | null>[]>`
      select m.content, m.forwarded ->> 'content' as forwarded, poll_text(m) as poll, sticker_text(m) as sticker
      from messages m cross join lateral channel_access(m.channel_id, ${author_id}) ca
      where m.id = ${forward_message_id} and can_view(ca.permissions) and holds(ca.permissions, 'read_history')`
    return { texts: [...texts, ...Object.values(message ?? {}).filter((text) => text !== null)], files }
  }
}

async function standingOf(
  sql: Sql,
  { author_id, place, nonce = null }: Saying,
  server_id: number,
): Promise<Standing | undefined> {
  const channelId = 'channel_id' in place ? place.channel_id : null
  const [standing] = await sql<Standing[]>`
    select u.kind, coalesce(ca.permissions, mp.permissions) as permissions,
      coalesce(c.type = 'thread', false) as is_thread,
      array(select r.id from roles r where r.server_id = ${server_id} and (r.is_everyone or r.id in (
        select role_id from member_roles where server_id = ${server_id} and user_id = ${author_id}))) as role_ids,
      array_remove(array[c.id, c.parent_id, p.parent_id], null) as channel_ids,
      ${nonce}::text is not null and exists (select from used_nonce(u.id, c.id, ${nonce}) used
        where used.created_at > now() - interval '23 hours') as is_repeated
    from users u left join channels c on c.id = ${channelId} left join channels p on p.id = c.parent_id
    left join lateral channel_access(c.id, u.id) ca on true
    left join member_permissions mp on c.id is null and mp.server_id = ${server_id} and mp.user_id = u.id
    where u.id = ${author_id}`
  return standing
}

/** True for webhooks, whose rights their own door checks. */
function mayWrite({ kind, permissions, is_thread, channel_ids }: Standing, demanded?: Permission): boolean {
  if (kind === 'webhook') return true
  if (demanded === undefined && channel_ids.length === 0) return true
  const bit: Permission = demanded ?? (is_thread ? 'send_in_threads' : 'send_messages')
  return permissions !== null && holds(permissions, bit)
}

function concerns(rule: Rule, { kind, role_ids, channel_ids }: Standing): boolean {
  if (kind === 'bot' && !rule.covers_bots) return false
  if (kind === 'webhook' && !rule.covers_webhooks) return false
  const isExempt = (ids: number[], exemptIds: number[]) => ids.some((id) => exemptIds.includes(id))
  return !isExempt(role_ids, rule.exempt_role_ids) && !isExempt(channel_ids, rule.exempt_channel_ids)
}
