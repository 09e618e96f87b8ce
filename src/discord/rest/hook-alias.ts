import { withReason } from '../../core/act-reason.ts'
import { type Caller, attachCaller } from '../../http/caller.ts'
import type { Ids } from '../ids.ts'
import type { OwnApi } from './call.ts'
import { reasonIn } from './reasons.ts'

/**
 * Addresses of webhooks as Discord has them, `/api/webhooks/:id/:token`. A token of an interaction has a dot, by which
 * the two differ. The rest is spelled out, so that no address leads to another route of Parley's API.
 */
const HOOK = new RegExp(
  String.raw`^(?:/discord)?/api(?:/v\d{1,3})?/webhooks/(\d{1,19})/([\w-]{20,100})` +
    String.raw`(?:(/slack|/github)|/messages/(\d{1,19}))?$`,
)
const OWN_DIGITS_MAX = 15

export const isHookAlias = (path: string): boolean => HOOK.test(path)

/** Passes a request on to the webhook's own address; ids may be Parley's or Discord's. */
export async function passToHook(api: OwnApi, ids: Ids, request: Request, caller: Caller): Promise<Response> {
  const [, hook = '', token = '', form = '', message] = HOOK.exec(caller.path ?? '') ?? []
  const idOf = async (kind: 'user' | 'message', digits: string) =>
    digits.length > OWN_DIGITS_MAX ? ((await ids.find(kind, digits)) ?? 0) : digits
  const rest = message === undefined ? form : `/messages/${await idOf('message', message)}`
  const hookId = await idOf('user', hook)
  caller.path = `/hooks/${hookId}/${token}${rest}`
  const passed = new Request(`http://localhost${caller.path}${new URL(request.url).search}`, request)
  attachCaller(passed, caller)
  const reason = reasonIn(request.headers)
  // Changes of a webhook by its token are noted as its own.
  return reason === undefined ? api(passed) : withReason(Number(hookId), reason, () => api(passed))
}
