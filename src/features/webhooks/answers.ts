import { Problem } from '../../core/errors.ts'
import { EmptyPost, NoMessage, NoThread } from './post.ts'

/** Discord's error codes. Source: https://docs.discord.com/developers/topics/opcodes-and-status-codes */
const CODES: Partial<Record<Problem['code'], number>> = {
  not_found: 10015,
  bad_request: 50109,
  malformed_json: 50109,
  validation_failed: 50035,
  payload_too_large: 40005,
}

interface ErrorBody {
  status: number
  message: string
  code: number
  errors?: Problem['options']['errors']
  retry_after?: number
}

/** Translates a refusal for the sender. Other errors are rethrown, to be logged and answered as everywhere. */
function errorBodyOf(error: unknown): ErrorBody {
  if (error instanceof EmptyPost) return { status: 400, message: 'Cannot send an empty message', code: 50006 }
  if (error instanceof NoMessage) return { status: 404, message: 'Unknown Message', code: 10008 }
  if (error instanceof NoThread) return { status: 404, message: 'This channel has no such open thread', code: 10003 }
  if (!(error instanceof Problem)) throw error
  const { status, detail, code, options } = error
  const { errors, retry_after } = options
  return {
    // Discord answers 400 to invalid requests.
    status: status === 422 ? 400 : status,
    message: code === 'rate_limited' ? 'You are being rate limited.' : detail,
    code: CODES[code] ?? 0,
    ...(errors ? { errors } : {}),
    ...(retry_after === undefined ? {} : { retry_after }),
  }
}

/** Answers errors in Discord's format. */
export async function likeDiscord(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    const { status, retry_after, ...body } = errorBodyOf(error)
    const headers = retryHeaders(retry_after)
    const rateLimit = status === 429 ? { retry_after: retry_after ?? 1, global: false } : {}
    return Response.json({ ...body, ...rateLimit }, { status, headers })
  }
}

/** Slack's error words. Source: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
const WORDS: Record<number, string> = {
  400: 'invalid_payload',
  404: 'no_service',
  413: 'invalid_payload',
  429: 'rate_limited',
}

/** Answers in Slack's format: `ok`, or an error word. */
export async function likeSlack(work: () => Promise<void>): Promise<Response> {
  try {
    await work()
    return new Response('ok', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
  } catch (error) {
    const { status, retry_after } = errorBodyOf(error)
    const word = error instanceof EmptyPost ? 'no_text' : (WORDS[status] ?? 'failed')
    return new Response(word, {
      status,
      headers: { 'content-type': 'text/plain; charset=utf-8', ...retryHeaders(retry_after) },
    })
  }
}

const retryHeaders = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) }
