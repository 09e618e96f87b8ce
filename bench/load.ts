import { obey } from './children.ts'
import { drive, requestText, type Target } from './lanes.ts'

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

obey({ sends, reads, logins })
