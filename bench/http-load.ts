import { serveCommands } from './processes.ts'
import {
  sendInParallel,
  type HttpConnection,
  openConnection,
  requestText,
  type Target,
  targetOf,
} from './http-connections.ts'

/** A round of reads ends with its paths; this limit ends a round that hangs. */
const READ_SECONDS_MAX = 20

// A program that sends REST requests over keep-alive connections.
export interface Reads {
  target: Target
  token: string
  paths: string[]
  /** Requests in flight; one by default. */
  lanes?: number
}

/** Reads each path once, in order. */
const reads = ({ target, token, paths, lanes = 1 }: Reads) => {
  const remaining = paths.values()
  return sendInParallel(target, lanes, READ_SECONDS_MAX, () => {
    const path = remaining.next().value
    return path === undefined ? undefined : requestText('GET', path, token)
  })
}

export interface Logins {
  target: Target
  connections: number
  seconds: number
  password: string
  users: number
}

/** Every connection logs in its own accounts, one after another. */
const logins = ({ target, connections, seconds, password, users }: Logins) =>
  sendInParallel(target, connections, seconds, (connection, n) => {
    const body = JSON.stringify({ username: `user${((connection + n * connections) % users) + 1}`, password })
    return requestText('POST', '/api/auth/login', '', body)
  })

export interface Votes {
  target: Target
  connections: number
  seconds: number
  message_id: number
  /** A vote of each; the answer is its position modulo the answers. */
  tokens: string[]
  answers: number
}

/** Each account votes once, over all connections. */
const votes = ({ target, connections, seconds, message_id, tokens, answers }: Votes) => {
  let at = 0
  return sendInParallel(target, connections, seconds, () => {
    const token = tokens[at]
    const body = JSON.stringify({ answer_ids: [(at++ % answers) + 1] })
    return token && requestText('PUT', `/api/messages/${message_id}/poll/votes`, token, body)
  })
}

export interface Paced {
  url: string
  connections: number
  seconds: number
  per_s: number
}

/** Sends requests at a steady rate, however long the responses take. */
const paced = async ({ url, connections, seconds, per_s }: Paced) => {
  const request = requestText('GET', '/healthz', '')
  const started = performance.now()
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(targetOf(url))))
  let [sent, answered] = [0, 0]
  const due = () => ((performance.now() - started) * per_s) / 1000
  const loop = async (connection: HttpConnection) => {
    while (performance.now() - started < seconds * 1000) {
      if (sent >= due()) await Bun.sleep(1)
      else {
        sent++
        await connection.send(request)
        answered++
      }
    }
    connection.close()
  }
  await Promise.all(opened.map(loop))
  return { per_s: answered / seconds }
}

serveCommands({ reads, logins, votes, paced })
