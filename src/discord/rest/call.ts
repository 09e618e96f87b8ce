import { attachCaller, type Caller } from '../../http/caller.ts'
import { Problem, type ErrorCode, isErrorCode } from '../../core/errors.ts'
import type { Authenticated } from '../../features/sessions/store.ts'
import type { HookFile } from '../../features/webhooks/body.ts'
import type { Presence } from '../../gateway/presence.ts'
import type { Parts } from '../../parts.ts'
import type { Voice } from '../../voice/voice.ts'
import type { Facts } from '../facts.ts'
import type { Kind, Lookup } from '../lookup.ts'
import type { Ids } from '../ids.ts'
import type { FileLinks } from '../file-links.ts'
import { type Named, Unknown } from '../refusals.ts'

/** Runs a request of Parley's own API in this process. */
export type OwnApi = (request: Request) => Promise<Response>

/** The parts of the server that routes use. */
export interface Tools {
  parts: Parts
  presence: Pick<Presence, 'isInvisible'>
  /** The commands of calls. */
  voice: Voice['handlers']
  facts: Facts
  ids: Ids
  links: FileLinks
  api: OwnApi
}

/** An answer in Discord's format; undefined for 204. */
export type Reply = object | undefined | Response

/** The place of a page of a list, relative to the id that a program sends. */
type Side = 'before' | 'after' | 'around'

/** A problem that Parley's API answered. */
interface OwnProblem {
  code: string
  detail?: string
  errors?: { path: string; message: string }[]
  retry_after?: number
}

/**
 * A request of a bot on Discord's routes. It is answered by requests to Parley's own API, with the bot's token and on
 * its account, so that the same guards, limits and rules decide.
 */
export class Call {
  constructor(
    readonly tools: Tools,
    /** The account of the token; absent on routes whose path has a secret. */
    private readonly account: Authenticated | undefined,
    readonly caller: Caller,
    private readonly token: string,
    private readonly params: Readonly<Record<string, string>>,
    readonly query: URLSearchParams,
    readonly body: unknown,
    /** The files of a form. */
    readonly files: HookFile[],
    /** Why the bot acts, for the audit log. */
    readonly reason: string | undefined,
  ) {}

  /** @throws Problem `unauthorized` on routes without a token */
  get me(): Authenticated {
    if (!this.account) throw new Problem('unauthorized')
    return this.account
  }

  /** Addresses of files for whoever called. */
  get links(): FileLinks {
    return this.tools.links.at(this.caller.base)
  }

  /** A part of the path. */
  param(name: string): string {
    return this.params[name] ?? ''
  }

  /** The id that a part of the path names. @throws Unknown */
  async id(kind: Kind, name: string = kind, named: Named = kind): Promise<number> {
    return this.find(kind, this.param(name), named)
  }

  /** The id of a snowflake. @throws Unknown */
  async find(kind: Kind, snowflake: string, named: Named = kind): Promise<number> {
    const id = await this.tools.ids.find(kind, snowflake)
    if (id === undefined) throw new Unknown(named)
    return id
  }

  /** The ids of several snowflakes of one kind; unknown ones are left out. */
  async findSome(kind: Kind, snowflakes: string[]): Promise<number[]> {
    const idOf = await this.tools.ids.findAll(snowflakes.map((snowflake) => ({ kind, snowflake })))
    return [...new Set(snowflakes.flatMap((snowflake) => idOf(kind, snowflake) ?? []))]
  }

  /**
   * The id at the edge of a page, for the snowflake of a row or of a time.
   * @param channelId only for messages: their channel
   * @throws Unknown if the snowflake is no number
   */
  async edge(kind: Kind, side: Side, snowflake: string, channelId?: number): Promise<number> {
    const { ids } = this.tools
    const id = await ids.find(kind, snowflake)
    if (id !== undefined) return id
    if (!/^\d{1,19}$/.test(snowflake)) throw new Unknown(kind)
    const first = await ids.firstSince(kind, snowflake, channelId)
    return side === 'before' ? first : first - 1
  }

  /** The edge as a parameter of Parley's API. */
  async cursor(kind: Kind, side: Side, snowflake: string, channelId?: number): Promise<string> {
    return `&${side}=${await this.edge(kind, side, snowflake, channelId)}`
  }

  /** Asks Parley's own API. @throws Problem as it answers */
  async own<T = never>(method: string, path: string, body?: unknown): Promise<T> {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { request_id, ip, way, base } = this.caller
    const [pathname] = path.split('?')
    attachCaller(request, { request_id, ip, way, base, path: pathname, headers: {} })
    const response = await this.tools.api(request)
    if (!response.ok) throw problemIn(response.status, await response.json())
    if (response.status === 204) return undefined as T
    // The shape is that of the route, which the contract's tests enforce.
    return (await response.json()) as T
  }

  /** Answers with a translation. */
  resolve<T>(translate: (of: Lookup) => T): Promise<T> {
    return this.tools.facts.resolve(translate)
  }
}

function problemIn(status: number, body: unknown): Problem {
  const { code, detail, errors, retry_after } = body as OwnProblem
  const errorCode: ErrorCode = isErrorCode(code) ? code : status >= 500 ? 'unavailable' : 'bad_request'
  return new Problem(errorCode, detail, {
    ...(errors ? { errors } : {}),
    ...(retry_after === undefined ? {} : { retry_after }),
  })
}
