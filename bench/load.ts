import { obey } from './children.ts'
import { drive, type Lane, openLane, requestText, type Target, targetOf } from './lanes.ts'

/** A round of reads is bounded by its paths; this only ends one that hangs. */
const READ_SECONDS_MAX = 20

// A program: REST requests over kept connections, ordered about by a figure.
export interface Sends {
  target: Target
  lanes: number
  seconds: number
  tokens: string[]
  channels: number
  nonce: boolean
}

/** Every lane is one account, which sends into one channel after another. */
const sends = ({ target, lanes, seconds, tokens, channels, nonce }: Sends) => {
  const run = crypto.randomUUID()
  return drive(target, lanes, seconds, (lane, n) => {
    const body = { content: `hello ${Math.random()}`, ...(nonce ? { nonce: `${run} ${lane} ${n}` } : {}) }
    const path = `/api/channels/${((lane + n) % channels) + 1}/messages`
    return requestText('POST', path, tokens[lane % tokens.length] ?? '', JSON.stringify(body))
  })
}

export interface Reads {
  target: Target
  token: string
  paths: string[]
}

/** Each path once, one at a time. */
const reads = ({ target, token, paths }: Reads) =>
  drive(target, 1, READ_SECONDS_MAX, (_lane, n) => {
    const path = paths[n]
    return path === undefined ? undefined : requestText('GET', path, token)
  })

export interface Logins {
  target: Target
  lanes: number
  seconds: number
  password: string
  users: number
}

/** Every lane logs accounts of its own in, one after another. */
const logins = ({ target, lanes, seconds, password, users }: Logins) =>
  drive(target, lanes, seconds, (lane, n) => {
    const body = JSON.stringify({ username: `user${((lane + n * lanes) % users) + 1}`, password })
    return requestText('POST', '/api/auth/login', '', body)
  })

export interface Paced {
  url: string
  lanes: number
  seconds: number
  per_s: number
}

/** Requests at a steady rate, whatever the answers take. */
const paced = async ({ url, lanes, seconds, per_s }: Paced) => {
  const request = requestText('GET', '/healthz', '')
  const started = performance.now()
  const opened = await Promise.all(Array.from({ length: lanes }, () => openLane(targetOf(url))))
  let [sent, answered] = [0, 0]
  const due = () => ((performance.now() - started) * per_s) / 1000
  const loop = async (lane: Lane) => {
    while (performance.now() - started < seconds * 1000) {
      if (sent >= due()) await Bun.sleep(1)
      else {
        sent++
        await lane.send(request)
        answered++
      }
    }
    lane.close()
  }
  await Promise.all(opened.map(loop))
  return { per_s: answered / seconds }
}

obey({ sends, reads, logins, paced })
