import { attachCaller, callerOf } from '../http/caller.ts'
import { Problem } from '../core/errors.ts'
import type { Parts } from '../parts.ts'
import { isHookPath, readBody } from '../http/body.ts'
import { docs } from './docs.ts'
import { accountRoutes } from '../features/login/account-routes.ts'
import { guestRoutes } from '../features/login/guest-routes.ts'
import { applicationRoutes } from '../features/applications/routes.ts'
import { arrivalRoutes } from '../features/arrival/routes.ts'
import { auditRoutes } from '../features/audit/routes.ts'
import { automodRoutes } from '../features/automod/routes.ts'
import { callRoutes } from '../features/calls/routes.ts'
import { channelRoutes } from '../features/channels/routes.ts'
import { stageRoutes } from '../features/stages/routes.ts'
import { discoveryRoutes } from '../features/discovery/routes.ts'
import { dmRoutes } from '../features/dms/routes.ts'
import { assetRoutes } from './asset-routes.ts'
import { secondLoginRoutes } from '../features/login/second-login-routes.ts'
import { factorRoutes } from '../features/login/factor-routes.ts'
import { fileRoutes } from '../features/files/routes.ts'
import { forumRoutes } from '../features/forums/routes.ts'
import { friendRoutes } from '../features/friends/routes.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { ticketRoutes } from '../gateway/routes.ts'
import { groupRoutes } from '../features/groups/routes.ts'
import { importRoutes } from '../features/imports/routes.ts'
import { interactionRoutes } from '../features/interactions/routes.ts'
import { inviteRoutes } from '../features/invites/routes.ts'
import { applicationDeletion } from '../features/lifecycle/orphaned-bots.ts'
import { ownDataRoutes } from '../features/lifecycle/own-data.ts'
import { mailRoutes } from '../features/login/mail-routes.ts'
import type { StatusOf } from '../features/status/model.ts'
import { caseRoutes } from '../features/members/case-routes.ts'
import { altTextRoutes } from '../features/messages/alt-text.ts'
import { memberOverwriteRoutes } from '../features/members/member-overwrites.ts'
import { memberRoleRoutes } from '../features/members/member-roles.ts'
import { memberRoutes } from '../features/members/routes.ts'
import { raidRoutes } from '../features/members/raid-routes.ts'
import { rosterRoutes } from '../features/members/roster-routes.ts'
import { mentionRoutes } from '../features/mentions/routes.ts'
import { embedRoutes } from '../features/messages/embed-routes.ts'
import { pollEndRoutes } from '../features/messages/poll-routes.ts'
import { messageRoutes } from '../features/messages/routes.ts'
import { notificationRoutes } from '../features/notifications/routes.ts'
import type { Installation } from '../features/operations/metrics.ts'
import type { SendGroups } from '../features/messages/send-groups.ts'
import { operationRoutes } from '../features/operations/routes.ts'
import { operatorRoutes } from '../features/operator/routes.ts'
import { Provider } from '../features/oidc/provider.ts'
import { oidcRoutes } from '../features/login/oidc-routes.ts'
import { Passkeys } from '../features/passkeys/ceremonies.ts'
import { passkeyLoginRoutes } from '../features/login/passkey-login-routes.ts'
import { passkeyRoutes } from '../features/login/passkey-routes.ts'
import { pinRoutes } from '../features/pins/routes.ts'
import { reactionRoutes } from '../features/reactions/routes.ts'
import { pushRoutes } from '../features/push/routes.ts'
import { proofRoutes } from '../features/login/proof-routes.ts'
import { previewPictures } from '../features/previews/routes.ts'
import { reportRoutes } from '../features/reports/routes.ts'
import { publicPageRoutes } from '../features/public-pages/routes.ts'
import { roleRoutes } from '../features/roles/routes.ts'
import { eventRoutes } from '../features/calendar/all-routes.ts'
import { pollRoutes } from '../features/polls/routes.ts'
import { savedRoutes } from '../features/saved/routes.ts'
import { scheduledRoutes } from '../features/scheduled/routes.ts'
import { searchRoutes } from '../features/search/routes.ts'
import { serverRoutes } from '../features/servers/routes.ts'
import { admitAddress, admitBody, admitUncounted, countTime } from '../features/sessions/identity.ts'
import { sessionRoutes } from '../features/sessions/routes.ts'
import { templateRoutes } from '../features/templates/routes.ts'
import { statusRoutes } from '../features/status/routes.ts'
import { threadRoutes } from '../features/threads/routes.ts'
import { turnRoutes } from '../turn/routes.ts'
import type { Turn } from '../turn/thread.ts'
import type { Sessions } from '../features/sessions/store.ts'
import { unreadRoutes } from '../features/unread/routes.ts'
import { userRoutes } from '../features/users/routes.ts'
import { hookRoutes } from '../features/webhooks/hook-routes.ts'
import { webhookRoutes } from '../features/webhooks/routes.ts'
import { voiceRoutes } from '../voice/routes.ts'
import type { Sfu } from '../voice/sfu/sfu.ts'
import type { Voice } from '../voice/voice.ts'
import { openRefusals, type Routes } from './refusals.ts'
import { openElysia } from './elysia.ts'
import { clientHash, site } from './site.ts'

/** The running components of voice calls. */
interface Calls {
  voice: Voice
  sfu: Sfu
  turn: Turn
}

/** Builds the REST API, one line per feature. */
export function openApp(
  parts: Parts,
  sessions: Sessions,
  gateway: Gateway,
  groups: SendGroups,
  { voice, sfu, turn }: Calls,
  installation: Installation,
) {
  // Filled below, because the documentation and the error handler read all routes, including their own.
  const routes: Routes = []
  const statusOf: StatusOf = (userId) => gateway.presence.statusOf(userId)
  const states = { turn: turn.state, sfu: sfu.state }
  const passkeys = new Passkeys(parts)
  const refuse = openRefusals(routes, parts.log, parts.space)
  const app = openElysia()
    .onParse(({ request }) => {
      if (isHookPath(callerOf(request).path)) return {}
      return readBody(request, () => admitBody(parts, sessions, request)).catch(async (error: unknown) => {
        // The caller is not authenticated yet, so an unreadable body counts against its address.
        if (!isRateLimited(error)) await admitAddress(parts, callerOf(request))
        throw error
      })
    })
    .onError(async ({ error, request, params, query, body }) => {
      const caller = callerOf(request)
      const overLimit = await admitUncounted(parts, caller).catch((refusal: unknown) => refusal)
      const answer = refuse(overLimit ?? error, request, { params, query, body })
      countTime(parts, caller)
      return answer
    })
    .use(operationRoutes(parts, states, installation))
    .use(discoveryRoutes(parts, clientHash))
    .use(docs(parts, routes))
    .use(site(parts))
    .use(publicPageRoutes(parts))
    .use(accountRoutes(parts, sessions, passkeys, statusOf))
    .use(guestRoutes(parts, sessions, statusOf))
    .use(secondLoginRoutes(parts, sessions, passkeys))
    .use(passkeyLoginRoutes(parts, sessions, passkeys))
    .use(factorRoutes(parts, sessions, passkeys))
    .use(passkeyRoutes(parts, sessions, passkeys))
    .use(proofRoutes(parts, sessions, passkeys))
    .use(oidcRoutes(parts, sessions, passkeys, new Provider(parts)))
    .use(mailRoutes(parts, sessions))
    .use(sessionRoutes(parts, sessions))
    .use(statusRoutes(parts, sessions))
    .use(ticketRoutes(parts, sessions))
    .use(templateRoutes(parts, sessions, statusOf))
    .use(serverRoutes(parts, sessions))
    .use(memberRoutes(parts, sessions, statusOf))
    .use(raidRoutes(parts, sessions, statusOf))
    .use(rosterRoutes(parts, sessions, statusOf))
    .use(arrivalRoutes(parts, sessions, statusOf))
    .use(memberRoleRoutes(parts, sessions, statusOf))
    .use(roleRoutes(parts, sessions))
    .use(memberOverwriteRoutes(parts, sessions))
    .use(altTextRoutes(parts, sessions))
    .use(auditRoutes(parts, sessions))
    .use(reportRoutes(parts, sessions))
    .use(caseRoutes(parts, sessions))
    .use(automodRoutes(parts, sessions))
    .use(channelRoutes(parts, sessions))
    .use(stageRoutes(parts, sessions))
    .use(threadRoutes(parts, sessions))
    .use(forumRoutes(parts, sessions))
    .use(voiceRoutes(parts, sessions, voice))
    .use(messageRoutes(parts, sessions, groups))
    .use(reactionRoutes(parts, sessions))
    .use(pinRoutes(parts, sessions))
    .use(eventRoutes(parts, sessions))
    .use(pollRoutes(parts, sessions))
    .use(pollEndRoutes(parts, sessions))
    .use(savedRoutes(parts, sessions))
    .use(scheduledRoutes(parts, sessions))
    .use(assetRoutes(parts, sessions))
    .use(embedRoutes(parts, sessions))
    .use(importRoutes(parts, sessions))
    .use(previewPictures(parts))
    .use(searchRoutes(parts, sessions))
    .use(mentionRoutes(parts, sessions))
    .use(notificationRoutes(parts, sessions))
    .use(unreadRoutes(parts, sessions))
    .use(pushRoutes(parts, sessions))
    .use(fileRoutes(parts, sessions))
    .use(turnRoutes(parts, sessions, turn))
    .use(inviteRoutes(parts, sessions, statusOf))
    .use(friendRoutes(parts, sessions, gateway.presence.of))
    .use(userRoutes(parts, sessions))
    .use(dmRoutes(parts, sessions, groups))
    .use(groupRoutes(parts, sessions))
    .use(callRoutes(parts, sessions))
    .use(webhookRoutes(parts, sessions))
    .use(hookRoutes(parts))
    .use(interactionRoutes(parts, sessions, groups))
    .use(applicationRoutes(parts, sessions, statusOf))
    .use(applicationDeletion(parts, sessions))
    .use(ownDataRoutes(parts, sessions))
    .use(operatorRoutes(parts, sessions, states, installation))
  routes.push(...app.routes)
  return {
    fetch: (request: Request) => app.fetch(asHttp(request)),
    /** Answers a request that this process makes itself; its caller must be attached. */
    fetchOwn: async (request: Request): Promise<Response> => app.fetch(request),
    refuse,
    routes,
  }
}

export type App = ReturnType<typeof openApp>

const isRateLimited = (error: unknown) => error instanceof Problem && error.code === 'rate_limited'

/** Elysia finds the path from a fixed index of the URL. The index that suits short hosts only works with `http://`. */
function asHttp(request: Request): Request {
  if (!request.url.startsWith('https:')) return request
  const httpRequest = new Request(request.url.replace('https:', 'http:'), request)
  attachCaller(httpRequest, callerOf(request))
  return httpRequest
}
