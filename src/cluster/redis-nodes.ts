import { errorFields, type Log } from '../core/log.ts'
import { Letter, openPeers, Word } from './node-peers.ts'
import { openTables, type Row } from './node-tables.ts'
import { newNodeId, type Nodes } from './nodes.ts'
import type { RedisLink } from '../redis/client.ts'

const BEAT_MS = 2_000
/** Who has not heard itself for so long is not in touch: then nobody else's silence says anything. */
const TOUCH_MS_MAX = 2.5 * BEAT_MS
/** What comes back later than this was held up on the way, and proves nothing. */
const ECHO_MS_MAX = 1_000
const LOOK_MS = 500
/** Changes are collected for so long. */
const BATCH_MS = 5
/** Answers to several who ask at once are one. */
const ANSWER_MS = 50
/** Of rows in one message; one row may be longer. */
const PART_CHARS_MAX = 32_768
const LETTER_CHARS_MAX = 1_048_576
/** Nodes of whose letters the newest number is known. */
const WRITERS_MAX = 1_000
/** Messages on their way to Redis; beyond that they are dropped, as while it is away. */
const UNDER_WAY_MAX = 10_000

/**
 * The nodes that share a Redis, by one sharded channel for all and one for each. Nothing is kept in Redis: every node
 * says that it is there, what has changed, and on request everything, so that whatever Redis loses is said again.
 */
export function redisNodes(link: RedisLink, log: Log): Nodes {
  const id = newNodeId()
  const everyone = link.key('nodes')
  const mailbox = (node: string) => link.key(`node:${node}`)
  const tables = openTables(id)
  const mourners: ((node: string, died: boolean) => void)[] = []
  const [touch, inbox] = [openTouch(), openInbox()]
  const changed = new Map<string, Row>()
  const timers = new Set<string>()
  let [seq, letter_seq, under_way, stopped] = [0, 0, 0, false]
  const publish = (channel: string, text: string) => {
    if (under_way >= UNDER_WAY_MAX) return
    under_way++
    const done = () => void under_way--
    // What does not get there is missed and said again.
    link.commands.spublish(channel, text).then(done, done)
  }
  const say = (word: Word) => publish(everyone, JSON.stringify(word))
  const write = (node: string, kind: string, body: unknown) => {
    const text = JSON.stringify({ node: id, seq: ++letter_seq, kind, body } satisfies Letter)
    if (text.length <= LETTER_CHARS_MAX) publish(mailbox(node), text)
  }
  const beat = (hello = false) => {
    const sent_at = performance.now()
    say({ say: 'beat', node: id, seq, sent_at, hello })
    write(id, 'echo', sent_at)
  }
  const peers = openPeers(
    tables,
    (of) => say({ say: 'want', node: id, of }),
    (node, died) => {
      inbox.forget(node)
      log(died ? 'warn' : 'info', died ? 'node.died' : 'node.ended', { node })
      for (const mourner of mourners) mourner(node, died)
    },
  )

  /** Once within that time, however often it is called for. */
  function soon(name: string, ms: number, act: () => void): void {
    if (timers.has(name) || stopped) return
    timers.add(name)
    setTimeout(() => {
      timers.delete(name)
      if (!stopped) act()
    }, ms)
  }

  function flush(): void {
    const rows = [...changed.values()]
    changed.clear()
    // Nobody hears it: its number goes by, and everyone will ask.
    if (rows.length > 0 && !touch.isInTouch()) seq++
    else for (const part of partsOf(rows)) say({ say: 'changes', node: id, seq: ++seq, rows: part })
  }

  function sayWhole(): void {
    flush()
    const parts = partsOf(tables.of(id))
    if (parts.length === 0) parts.push([])
    for (const [part, rows] of parts.entries()) say({ say: 'whole', node: id, seq, part, parts: parts.length, rows })
  }

  function hear(word: Word): void {
    const now = performance.now()
    if (word.node === id) return word.say === 'beat' ? touch.echoed('beat', word.sent_at) : undefined
    peers.heard(word, now)
    if (word.say === 'beat' && word.hello) soon('beat', ANSWER_MS, beat)
    if (word.say === 'want' && word.of === id) soon('whole', ANSWER_MS, sayWhole)
  }

  function read(letter: Letter): void {
    if (letter.node !== id) return inbox.read(letter)
    touch.echoed('letter', Number(letter.body))
  }

  const receive = (channel: string, text: string) => {
    if (channel !== everyone && channel !== mailbox(id)) return
    try {
      if (channel === everyone) hear(Word.parse(JSON.parse(text)))
      else read(Letter.parse(JSON.parse(text)))
    } catch (error) {
      log('warn', 'nodes.message', errorFields(error))
    }
  }

  const subscribe = async () => {
    try {
      for (const channel of [everyone, mailbox(id)]) {
        // A cluster's client keeps a list of what it is subscribed to, which would grow.
        await link.subscriber.sunsubscribe(channel)
        await link.subscriber.ssubscribe(channel)
      }
      touch.begin()
      beat(true)
    } catch {
      // It is tried again with the next beat.
    }
  }
  link.subscriber.on('smessage', receive)
  link.onReady(() => void subscribe())
  const beats = setInterval(() => {
    beat()
    if (link.isReady() && !touch.isInTouch()) void subscribe()
  }, BEAT_MS)
  const looks = setInterval(() => {
    if (touch.isInTouch()) peers.dropSilent(performance.now(), touch.since())
  }, LOOK_MS)

  return {
    id,
    others: peers.names,
    table: (name) =>
      tables.table(name, (row) => {
        changed.set(`${row[0]} ${row[1]}`, row)
        soon('flush', BATCH_MS, flush)
      }),
    send(node, kind, body) {
      if (!stopped && touch.isInTouch() && node !== id) write(node, kind, body)
    },
    echo: (heard) => write(id, 'echo', touch.next(heard)),
    onMessage: inbox.onMessage,
    onGone: (listener) => void mourners.push(listener),
    stop() {
      if (!stopped) say({ say: 'gone', node: id })
      stopped = true
      clearInterval(beats)
      clearInterval(looks)
      link.subscriber.off('smessage', receive)
    },
  }
}

/** Whether this node hears itself, by each of its two channels: a cluster may lose one of them. */
function openTouch() {
  const heard_at = { beat: -Infinity, letter: -Infinity }
  let since = 0
  let waiting = () => {}
  const isInTouch = () => performance.now() - Math.min(heard_at.beat, heard_at.letter) < TOUCH_MS_MAX
  const begin = () => void (since = performance.now())
  return {
    isInTouch,
    /** Since when others can have been heard; before that nobody's silence counts. */
    since: () => since,
    begin,
    /** Calls back at the next letter, and says when this is. */
    next(heard: () => void): number {
      waiting = heard
      return performance.now()
    },
    echoed(channel: keyof typeof heard_at, sent_at: number): void {
      const now = performance.now()
      if (now - sent_at > ECHO_MS_MAX) return
      if (!isInTouch()) begin()
      heard_at[channel] = now
      if (channel === 'letter') waiting()
    },
  }
}

/** Gives letters to those who listen for them, each once: a connection that was lost may repeat the last. */
function openInbox() {
  const newest = new Map<string, number>()
  const listeners = new Map<string, ((from: string, body: unknown) => void)[]>()
  return {
    onMessage: (kind: string, listener: (from: string, body: unknown) => void) =>
      void listeners.set(kind, [...(listeners.get(kind) ?? []), listener]),
    read({ node, seq, kind, body }: Letter): void {
      if (seq <= (newest.get(node) ?? 0)) return
      newest.set(node, seq)
      if (newest.size > WRITERS_MAX) newest.delete(newest.keys().next().value ?? node)
      for (const listener of listeners.get(kind) ?? []) listener(node, body)
    },
    forget: (node: string) => void newest.delete(node),
  }
}

function partsOf(rows: Row[]): Row[][] {
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
