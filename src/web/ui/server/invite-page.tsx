import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { InvitePreview } from '../../../features/invites/model.ts'
import { momentOf } from '../../state/format.ts'
import { allServers } from '../../state/listed-servers.ts'
import { withoutBidi } from '../../state/names.ts'
import { askOffers, takesRegistrations } from '../../state/offers.ts'
import { account, call, follow, loader, state } from '../../state/session.ts'
import { channelPath, go, rememberReturnPath } from '../../state/route.ts'
import { accountWords } from '../../words/account.ts'
import { firstWords } from '../../words/first-steps.ts'
import { words } from '../../words/words.ts'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Later } from '../kit/later.tsx'
import { Brand } from '../kit/mark.tsx'
import { OwnBans } from './own-bans.tsx'
import { UrlPicture } from '../kit/url-picture.tsx'

/** Why an invite leads nowhere, by the code of the refusal. */
const OVER: Record<string, readonly [title: string, text: string] | undefined> = {
  invite_gone: [firstWords.invite.over, firstWords.invite.overText],
  not_found: [firstWords.invite.unknown, firstWords.invite.unknownText],
  banned: [firstWords.invite.banned, firstWords.invite.bannedText],
}

const guestEntry = (code: string, serverId: number) => async () => {
  const { GuestEntry } = await import('./guest-entry.tsx')
  return () => <GuestEntry code={code} server_id={serverId} />
}

/** The page of an invite link: the server, the inviter, and the button to join. */
export const InvitePage = ({ code }: { code: string }) => {
  follow('shell')
  const [preview, setPreview] = useState<InvitePreview>()
  const { attempt, busy, error } = useAttempt()
  const isSignedIn = account.value === 'logged_in'
  useEffect(askOffers, [])
  // Before the links of this page can be pressed: an effect comes later, and never if the page is left first.
  useLayoutEffect(() => rememberReturnPath(`/invite/${code}`), [code, isSignedIn])
  useEffect(() => {
    void attempt(() => call('GET /api/invites/:invite', { invite: code })).then(setPreview)
  }, [code, isSignedIn])
  const over = error && OVER[error.code]
  const join = async () => {
    const server = await attempt(() => call('POST /api/invites/:invite/join', { invite: code }))
    if (!server) return
    loader.addServer(server)
    rememberReturnPath('/app')
    go(channelPath(server.id))
    const { showWelcome } = await import('./welcome.tsx')
    await showWelcome(server.id)
  }
  const isMember = preview !== undefined && allServers(state).some(({ id }) => id === preview.server.id)
  return (
    <main class="sign-in">
      <Brand />
      <section class="card invited" aria-busy={busy && !preview}>
        {over ? (
          <Empty icon="link" title={over[0]} text={over[1]} isPage>
            {error.code === 'banned' && isSignedIn ? <OwnBans /> : null}
            <a class="button primary" href={isSignedIn ? '/app' : '/login'}>
              {isSignedIn ? firstWords.invite.back : accountWords.signIn.login}
            </a>
          </Empty>
        ) : (
          <>
            {preview ? <Preview {...preview} /> : <h1>{firstWords.invite.without}</h1>}
            <Refusal error={error} />
            {isSignedIn ? (
              <Actions>
                {preview && isMember ? (
                  <a class="button primary" href={channelPath(preview.server.id)}>
                    {firstWords.setup.open(withoutBidi(preview.server.name))}
                  </a>
                ) : (
                  <button class="primary" disabled={busy || !preview} onClick={join}>
                    {firstWords.invite.join}
                  </button>
                )}
                <a href="/app">{firstWords.invite.notNow}</a>
              </Actions>
            ) : (
              <Actions>
                {preview?.guest ? <Later load={guestEntry(code, preview.server.id)} /> : null}
                {takesRegistrations() ? (
                  <>
                    <a class="button primary" href="/register">
                      {accountWords.signIn.register}
                    </a>
                    <p class="quiet">
                      {accountWords.signIn.haveAccount} <a href="/login">{accountWords.signIn.login}</a>
                    </p>
                  </>
                ) : (
                  <a class="button primary" href="/login">
                    {accountWords.signIn.login}
                  </a>
                )}
              </Actions>
            )}
            {preview?.expires_at ? (
              <small>
                {isMember ? firstWords.invite.isMember : firstWords.invite.until(momentOf(preview.expires_at))}
              </small>
            ) : null}
          </>
        )}
      </section>
    </main>
  )
}

const Actions = ({ children }: { children: ComponentChildren }) => <div class="next-steps">{children}</div>

/** The server, who invites, and how many are there. */
const Preview = ({ server, inviter, online_count, temporary }: InvitePreview) => {
  const name = withoutBidi(server.name)
  return (
    <>
      <UrlPicture url={server.icon_url} id={server.id} name={server.name} size={88} />
      <p class="inviter">
        {inviter ? (
          <>
            <UrlPicture url={inviter.avatar_url} id={inviter.id} name={inviter.display_name} size={22} />
            <span>
              <b>
                <bdi>{withoutBidi(inviter.display_name)}</bdi>
              </b>{' '}
              {firstWords.invite.from}
            </span>
          </>
        ) : (
          firstWords.invite.without
        )}
      </p>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      {server.description ? <p class="description">{server.description}</p> : null}
      <p class="counts">
        {/* Nobody is no invitation. */}
        {online_count ? <span class="is-online">{firstWords.invite.online(online_count)}</span> : null}
        <span>{words.members(server.member_count)}</span>
      </p>
      {temporary === null ? null : <p>{firstWords.invite[temporary]}</p>}
    </>
  )
}
