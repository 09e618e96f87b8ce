import type { ListedThread, ThreadQuery } from '../../features/forums/model.ts'
import type { ThreadDraft } from '../../features/threads/model.ts'
import type { z } from 'zod'
import type { Done, LoginProblem, PublicUser } from '../../core/schema.ts'
import type {
  Credentials,
  DisplayNameChange,
  AccountDeletion,
  FullUser,
  PasswordChange,
  PasswordReset,
  Privacy,
  PrivacyPatch,
  Registration,
  SignedIn,
} from '../../features/accounts/model.ts'
import type { DndCallers, DndCallersDraft, OwnStatus, StatusDraft } from '../../features/status/model.ts'
import type { AuthorClaim } from '../../features/imports/model.ts'
import type { EmailChange, EmailProof, ForgottenPassword } from '../../features/mail/model.ts'
import type { AuditEntry, AuditQuery } from '../../features/audit/model.ts'
import type { Channel, ChannelPatch, Server } from '../../features/access/model.ts'
import type { DirectChannelDraft } from '../../features/groups/model.ts'
import type { ChannelDraft, ChannelOrder } from '../../features/channels/model.ts'
import type { Offers } from '../../features/discovery/model.ts'
import type { Conversation, DirectDraft, DirectMessage, RequestAnswer } from '../../features/dms/model.ts'
import type {
  AltText,
  AvatarChange,
  Download,
  Downloads,
  DownloadsDraft,
  File,
  FileDraft,
  Upload,
  UploadDraft,
} from '../../features/files/model.ts'
import type {
  Factors,
  RecoveryCodes,
  SecondLogin,
  SecondLoginOptions,
  SecondLoginStart,
  TotpConfirmation,
  TotpSecret,
} from '../../features/factors/model.ts'
import type { FriendRequest, Relation } from '../../features/friends/model.ts'
import type { Ticket } from '../../gateway/model.ts'
import type { Invite, InviteDraft, InvitePreview } from '../../features/invites/model.ts'
import type { Ban, BanDraft, Member, MemberPatch, OnlineMemberPage, ReasonDraft } from '../../features/members/model.ts'
import type { Vote } from '../../features/polls/model.ts'
import type { BulkDeletion, Message, MessageDraft, MessageEdit, TextEdit } from '../../features/messages/model.ts'
import type {
  CreationOptions,
  Passkey,
  PasskeyDraft,
  PasskeyLogin,
  PasskeyPatch,
  RequestOptions,
} from '../../features/passkeys/model.ts'
import type { Identity, OidcStart, OidcUrl } from '../../features/oidc/model.ts'
import type { ProofDraft, Proven } from '../../features/proof/model.ts'
import type { EmbedSuppression } from '../../features/previews/model.ts'
import type {
  Explanation,
  MemberOverwrite,
  MemberOverwriteDraft,
  Overwrite,
  OverwriteDeletion,
  OverwriteDraft,
  Role,
  RoleDraft,
  RolePatch,
} from '../../features/roles/model.ts'
import type { Scheduled, ScheduledDraft, ScheduledPatch } from '../../features/scheduled/model.ts'
import type { SavedMark, SavedMessage, SavedPatch } from '../../features/saved/model.ts'
import type { NotificationPatch, NotificationSetting } from '../../features/notifications/model.ts'
import type {
  PushSettings,
  PushSettingsPatch,
  PushSubscription,
  PushSubscriptionDraft,
} from '../../features/push/model.ts'
import type { FirstMessage, Unread, UnreadFrom } from '../../features/unread/model.ts'
import type { FoundMessages, MessageSearch } from '../../features/search/model.ts'
import type { ServerPatch, Transfer } from '../../features/servers/model.ts'
import type { NewServer } from '../../features/templates/model.ts'
import type { IceServers } from '../../turn/model.ts'
import type { SfuTest, SfuTestDraft, VoiceState } from '../../voice/model.ts'
import type { Session, TokenAnswer } from '../../features/sessions/model.ts'
import type { ArrivalEndpoints } from './arrival-endpoints.ts'
import type { ApplicationEndpoints } from './application-endpoints.ts'
import type { CalendarEndpoints } from './calendar-endpoints.ts'
import type { InteractionEndpoints } from './interaction-endpoints.ts'
import type { ModerationEndpoints } from './moderation-endpoints.ts'
import type { OperatorEndpoints } from './operator-endpoints.ts'
import type { PictureEndpoints } from './picture-endpoints.ts'
import type { IssuedWebhook, Webhook, WebhookDraft, WebhookPatch } from '../../features/webhooks/model.ts'

/** The types that a schema accepts and returns. */
type In<S extends z.ZodType> = z.input<S>
type Out<S extends z.ZodType> = z.output<S>

/** A refusal: RFC 9457 problem details. */
export type ProblemShape = Out<typeof LoginProblem>

/** A page of a list ordered by id. */
interface Cursor {
  limit?: number
  offset?: number
  before?: number
  after?: number
  around?: number
}
type Page = Pick<Cursor, 'limit' | 'offset'>

/** One endpoint, with its parameters in the path. */
interface Endpoint {
  body?: unknown
  query?: object
  answer: unknown
}
type Takes<Body, Answer> = { body: Body; answer: Answer }
type Gives<Answer, Query extends object = object> = { query: Query; answer: Answer }

/** Every public endpoint by method and path; the shapes are the server's own. */
export interface Endpoints
  extends
    Record<never, Endpoint>,
    ApplicationEndpoints,
    ArrivalEndpoints,
    CalendarEndpoints,
    InteractionEndpoints,
    ModerationEndpoints,
    OperatorEndpoints,
    PictureEndpoints {
  'GET /.well-known/parley': Gives<Offers>
  'POST /api/auth/register': Takes<In<typeof Registration>, Out<typeof SignedIn>>
  'POST /api/auth/login': Takes<In<typeof Credentials>, Out<typeof SignedIn>>
  'POST /api/auth/login/second/options': Takes<In<typeof SecondLoginStart>, Out<typeof SecondLoginOptions>>
  'POST /api/auth/login/second': Takes<In<typeof SecondLogin>, Out<typeof SignedIn>>
  'POST /api/auth/login/passkey/options': Gives<RequestOptions>
  'POST /api/auth/login/passkey': Takes<In<typeof PasskeyLogin>, Out<typeof SignedIn>>
  'GET /api/auth/factors': Gives<Factors>
  'POST /api/auth/totp': Gives<Out<typeof TotpSecret>>
  'POST /api/auth/totp/confirm': Takes<In<typeof TotpConfirmation>, Out<typeof RecoveryCodes>>
  'DELETE /api/auth/totp': Gives<void>
  'POST /api/auth/recovery-codes': Gives<Out<typeof RecoveryCodes>>
  'POST /api/auth/passkeys/options': Gives<CreationOptions>
  'POST /api/auth/passkeys': Takes<In<typeof PasskeyDraft>, Passkey>
  'GET /api/auth/passkeys': Gives<Passkey[]>
  'PUT /api/auth/passkeys/:passkey_id': Takes<In<typeof PasskeyPatch>, Passkey>
  'DELETE /api/auth/passkeys/:passkey_id': Gives<void>
  'POST /api/auth/proof/options': Gives<RequestOptions>
  'POST /api/auth/proof': Takes<In<typeof ProofDraft>, Out<typeof Proven>>
  'POST /api/auth/oidc/link': Takes<In<typeof OidcStart>, Out<typeof OidcUrl>>
  'POST /api/auth/oidc/proof': Takes<In<typeof OidcStart>, Out<typeof OidcUrl>>
  'GET /api/auth/oidc/identities': Gives<Identity[]>
  'DELETE /api/auth/oidc/identities/:identity_id': Gives<void>
  'POST /api/auth/password/forgot': Takes<In<typeof ForgottenPassword>, Out<typeof Done>>
  'POST /api/auth/password/reset': Takes<In<typeof PasswordReset>, Out<typeof Done>>
  'POST /api/users/@me/imported-messages': Takes<In<typeof AuthorClaim>, Out<typeof Done>>
  'PUT /api/auth/email': Takes<In<typeof EmailChange>, Out<typeof Done>>
  'POST /api/auth/email/resend': Gives<Out<typeof Done>>
  'POST /api/auth/email/verify': Takes<In<typeof EmailProof>, Out<typeof Done>>
  'POST /api/auth/logout': Gives<Out<typeof Done>>
  'POST /api/auth/logout-all': Gives<Out<typeof Done>>
  'POST /api/auth/refresh': Gives<Out<typeof TokenAnswer>>
  'POST /api/auth/ws-ticket': Gives<Out<typeof Ticket>>
  'GET /api/auth/me': Gives<FullUser>
  'DELETE /api/auth/me': Takes<In<typeof AccountDeletion>, void>
  'GET /api/auth/export': Gives<unknown>
  'GET /api/auth/privacy': Gives<Privacy>
  'PUT /api/auth/privacy': Takes<In<typeof PrivacyPatch>, Privacy>
  'GET /api/auth/status': Gives<OwnStatus>
  'PUT /api/auth/status': Takes<In<typeof StatusDraft>, OwnStatus>
  'GET /api/auth/status/callers': Gives<Out<typeof DndCallers>>
  'PUT /api/auth/status/callers': Takes<In<typeof DndCallersDraft>, Out<typeof DndCallers>>
  'PUT /api/auth/display-name': Takes<In<typeof DisplayNameChange>, FullUser>
  'PUT /api/auth/avatar': Takes<In<typeof AvatarChange>, FullUser>
  'PUT /api/auth/password': Takes<In<typeof PasswordChange>, Out<typeof Done>>
  'GET /api/auth/sessions': Gives<Session[], Cursor>
  'DELETE /api/auth/sessions/:id': Gives<void>
  'GET /api/users/search': Gives<PublicUser[], { q: string }>
  'GET /api/users/:user_id': Gives<PublicUser>

  'POST /api/servers': Takes<In<typeof NewServer>, Server>
  'GET /api/servers': Gives<Server[], Cursor>
  'GET /api/servers/:server_id': Gives<Server>
  'PUT /api/servers/:server_id': Takes<In<typeof ServerPatch>, Server>
  'DELETE /api/servers/:server_id': Gives<void>
  'POST /api/servers/:server_id/transfer': Takes<In<typeof Transfer>, Server>
  'GET /api/servers/:server_id/members': Gives<Member[], Cursor & { ids?: string; q?: string }>
  'GET /api/servers/:server_id/members/online': Gives<OnlineMemberPage, { from: number }>
  'PUT /api/servers/:server_id/members/:user_id': Takes<In<typeof MemberPatch>, Member>
  'DELETE /api/servers/:server_id/members/@me': Gives<void>
  'DELETE /api/servers/:server_id/members/:user_id': Takes<In<typeof ReasonDraft>, void>
  'GET /api/servers/:server_id/bans': Gives<Ban[], Cursor>
  'PUT /api/servers/:server_id/bans/:user_id': Takes<In<typeof BanDraft>, Ban>
  'DELETE /api/servers/:server_id/bans/:user_id': Gives<void>
  'GET /api/servers/:server_id/audit-log': Gives<
    AuditEntry[],
    Cursor & Partial<Pick<AuditQuery, 'user_id' | 'action' | 'channel_id'>>
  >

  'POST /api/servers/:server_id/roles': Takes<In<typeof RoleDraft>, Role>
  'GET /api/servers/:server_id/roles': Gives<Role[], Page>
  'GET /api/roles/:role_id': Gives<Role>
  'GET /api/roles/:role_id/overwrites': Gives<Overwrite[], Cursor>
  'PUT /api/roles/:role_id': Takes<In<typeof RolePatch>, Role>
  'DELETE /api/roles/:role_id': Gives<void>
  'GET /api/channels/:channel_id/permissions/members': Gives<MemberOverwrite[]>
  'PUT /api/channels/:channel_id/permissions/members/:user_id': Takes<In<typeof MemberOverwriteDraft>, MemberOverwrite>
  'DELETE /api/channels/:channel_id/permissions/members/:user_id': Gives<void>
  'GET /api/servers/:server_id/members/:user_id/roles': Gives<Role[], Page>
  'POST /api/servers/:server_id/members/:user_id/roles/:role_id': Gives<Member>
  'DELETE /api/servers/:server_id/members/:user_id/roles/:role_id': Gives<void>

  'POST /api/servers/:server_id/channels': Takes<In<typeof ChannelDraft>, Channel>
  'PUT /api/servers/:server_id/channels/order': Takes<In<typeof ChannelOrder>, Channel[]>
  'GET /api/servers/:server_id/channels': Gives<Channel[], Page>
  'POST /api/channels/direct': Takes<In<typeof DirectChannelDraft>, Channel>
  'GET /api/channels/direct': Gives<Channel[], Page>
  'POST /api/channels/:channel_id/threads': Takes<In<typeof ThreadDraft>, Channel>
  'GET /api/channels/:channel_id/threads': Gives<
    ListedThread[],
    Page & Partial<Omit<Out<typeof ThreadQuery>, keyof Page>>
  >
  'GET /api/channels/:channel_id/followers': Gives<PublicUser[], Cursor>
  'PUT /api/channels/:channel_id/followers/:user_id': Gives<void>
  'DELETE /api/channels/:channel_id/followers/:user_id': Gives<void>
  'PUT /api/channels/:channel_id/followers/@me': Gives<void>
  'DELETE /api/channels/:channel_id/followers/@me': Gives<void>
  'PUT /api/channels/:channel_id/recipients/:user_id': Gives<Channel>
  'DELETE /api/channels/:channel_id/recipients/:user_id': Gives<void>
  'POST /api/channels/:channel_id/messages/bulk-delete': Takes<In<typeof BulkDeletion>, void>
  'POST /api/channels/:channel_id/call/decline': Gives<void>
  'GET /api/channels/:channel_id': Gives<Channel>
  'PUT /api/channels/:channel_id': Takes<In<typeof ChannelPatch>, Channel>
  'DELETE /api/channels/:channel_id': Gives<void>
  'GET /api/channels/:channel_id/permissions': Gives<Overwrite[], Cursor>
  'PUT /api/channels/:channel_id/permissions/:role_id': Takes<In<typeof OverwriteDraft>, Overwrite>
  'DELETE /api/channels/:channel_id/permissions/:role_id': Takes<In<typeof OverwriteDeletion>, void>
  'GET /api/channels/:channel_id/permissions/explain': Gives<Explanation, { user_id: number }>

  'GET /api/channels/:channel_id/voice-states': Gives<VoiceState[], Page & { part?: 'speakers' | 'listeners' }>
  'GET /api/voice/ice-servers': Gives<Out<typeof IceServers>>
  'POST /api/voice/sfu-tests': Takes<In<typeof SfuTestDraft>, Out<typeof SfuTest>>

  'POST /api/channels/:channel_id/messages': Takes<In<typeof MessageDraft>, Message>
  'GET /api/channels/:channel_id/messages': Gives<Message[], Cursor>
  'GET /api/search': Gives<FoundMessages, In<typeof MessageSearch>>
  'GET /api/messages/:message_id': Gives<Message>
  'PUT /api/messages/:message_id': Takes<In<typeof MessageEdit>, Message>
  'PUT /api/messages/:message_id/embeds/suppressed': Takes<In<typeof EmbedSuppression>, Message>
  'DELETE /api/messages/:message_id': Gives<void>
  'GET /api/messages/:message_id/files': Gives<File[]>

  'PUT /api/messages/:message_id/reactions/:emoji/@me': Gives<void>
  'DELETE /api/messages/:message_id/reactions/:emoji/@me': Gives<void>
  'GET /api/messages/:message_id/reactions/:emoji': Gives<PublicUser[], Cursor>
  'DELETE /api/messages/:message_id/reactions/:emoji': Gives<void>
  'DELETE /api/messages/:message_id/reactions/:emoji/:user_id': Gives<void>
  'DELETE /api/messages/:message_id/reactions': Gives<void>
  'PUT /api/messages/:message_id/poll/votes': Takes<In<typeof Vote>, void>
  'GET /api/messages/:message_id/poll/answers/:answer_id/voters': Gives<PublicUser[], Cursor>
  'POST /api/messages/:message_id/poll/end': Gives<void>
  'PUT /api/channels/:channel_id/pins/:message_id': Gives<void>
  'DELETE /api/channels/:channel_id/pins/:message_id': Gives<void>
  'GET /api/channels/:channel_id/pins': Gives<Message[], Page>
  'POST /api/channels/:channel_id/webhooks': Takes<In<typeof WebhookDraft>, IssuedWebhook>
  'GET /api/channels/:channel_id/webhooks': Gives<Webhook[]>
  'GET /api/servers/:server_id/webhooks': Gives<Webhook[], Page>
  'PUT /api/webhooks/:webhook_id': Takes<In<typeof WebhookPatch>, Webhook>
  'POST /api/webhooks/:webhook_id/rotate': Gives<IssuedWebhook>
  'DELETE /api/webhooks/:webhook_id': Gives<void>

  'GET /api/mentions': Gives<Message[], { limit?: number; before?: number }>
  'POST /api/channels/:channel_id/scheduled': Takes<In<typeof ScheduledDraft>, Scheduled>
  'GET /api/scheduled': Gives<Scheduled[]>
  'PUT /api/scheduled/:scheduled_id': Takes<In<typeof ScheduledPatch>, Scheduled>
  'DELETE /api/scheduled/:scheduled_id': Gives<void>
  'POST /api/scheduled/confirm': Gives<void>
  'GET /api/saved': Gives<Out<typeof SavedMessage>[], Page>
  'PUT /api/saved/:message_id': Takes<In<typeof SavedPatch>, SavedMark>
  'DELETE /api/saved/:message_id': Gives<void>
  'GET /api/unread': Gives<Unread[], { channel_ids: string }>
  'GET /api/channels/:channel_id/first-message': Gives<Out<typeof FirstMessage>, { since: string }>
  'POST /api/channels/:channel_id/unread': Takes<In<typeof UnreadFrom>, Unread>
  'POST /api/servers/:server_id/read-all': Gives<void>
  'GET /api/notifications': Gives<NotificationSetting[]>
  'PUT /api/notifications/servers/:server_id': Takes<In<typeof NotificationPatch>, NotificationSetting>
  'DELETE /api/notifications/servers/:server_id': Gives<void>
  'PUT /api/notifications/channels/:channel_id': Takes<In<typeof NotificationPatch>, NotificationSetting>
  'DELETE /api/notifications/channels/:channel_id': Gives<void>

  'POST /api/push/subscriptions': Takes<In<typeof PushSubscriptionDraft>, Out<typeof PushSubscription>>
  'DELETE /api/push/subscriptions': Gives<void>
  'GET /api/push/settings': Gives<PushSettings>
  'PUT /api/push/settings': Takes<In<typeof PushSettingsPatch>, PushSettings>

  'POST /api/files/upload-url': Takes<In<typeof UploadDraft>, Out<typeof Upload>>
  'POST /api/files': Takes<In<typeof FileDraft>, File>
  'GET /api/files/:file_id': Gives<File>
  'GET /api/files/:file_id/download-url': Gives<Download, { variant?: 'thumbnail' }>
  'POST /api/files/download-urls': Takes<In<typeof DownloadsDraft>, Out<typeof Downloads>>
  'PUT /api/files/:file_id': Takes<In<typeof AltText>, File>
  'DELETE /api/files/:file_id': Gives<void>

  'POST /api/invites': Takes<In<typeof InviteDraft>, Invite>
  'GET /api/servers/:server_id/invites': Gives<Invite[], Cursor>
  'DELETE /api/invites/:invite': Gives<void>
  'GET /api/invites/:invite': Gives<InvitePreview>
  'POST /api/invites/:invite/join': Gives<Server>

  'GET /api/friends': Gives<Relation[], Cursor>
  'GET /api/friends/pending': Gives<Relation[], Cursor>
  'GET /api/friends/sent': Gives<Relation[], Cursor>
  'GET /api/friends/blocked': Gives<Relation[], Cursor>
  'POST /api/friends/request': Takes<In<typeof FriendRequest>, Relation>
  'POST /api/friends/:user_id/accept': Gives<Relation>
  'POST /api/friends/:user_id/decline': Gives<Relation>
  'POST /api/friends/:user_id/cancel': Gives<Relation>
  'POST /api/friends/:user_id/block': Gives<Relation>
  'POST /api/friends/:user_id/unblock': Gives<Relation>
  'DELETE /api/friends/:user_id': Gives<void>

  'POST /api/dm/messages': Takes<In<typeof DirectDraft>, DirectMessage>
  'GET /api/dm/conversations': Gives<Conversation[], Page>
  'PUT /api/dm/:user_id/request': Takes<In<typeof RequestAnswer>, void>
  'GET /api/dm/:user_id/messages': Gives<DirectMessage[], Cursor>
  'POST /api/dm/:user_id/read-all': Gives<Conversation>
  'DELETE /api/dm/:user_id/hide': Gives<void>
  'PUT /api/dm/messages/:message_id': Takes<In<typeof TextEdit>, DirectMessage>
  'DELETE /api/dm/messages/:message_id': Gives<void>
  'POST /api/dm/messages/:message_id/read': Gives<DirectMessage>
}

export type EndpointName = keyof Endpoints

type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type QueryOf<K extends EndpointName> = Endpoints[K] extends { query: infer Q } ? Q : object
export type BodyOf<K extends EndpointName> = Endpoints[K] extends { body: infer B } ? B : undefined
export type AnswerOf<K extends EndpointName> = Endpoints[K]['answer']
/** The parameters of the path, and the query. */
export type ParametersOf<K extends EndpointName> = { [Name in Names<K>]: number | string } & QueryOf<K>
