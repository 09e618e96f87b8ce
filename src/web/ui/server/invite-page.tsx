import { useEffect, useState } from 'preact/hooks'
import type { InvitePreview } from '../../../features/invites/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { account, call, loader } from '../../state/session.ts'
import { channelPath, go, rememberReturnPath } from '../../state/route.ts'
import { words } from '../../words/words.ts'
import { Picture } from '../kit/controls.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Brand } from '../kit/mark.tsx'

/** The page of an invite link: the server's preview, and the button to join. */
export const InvitePage = ({ code }: { code: string }) => {
  const [preview, setPreview] = useState<InvitePreview>()
  const { attempt, busy, error } = useAttempt()
  const signedIn = account.value === 'logged_in'
  useEffect(() => {
    rememberReturnPath(`/invite/${code}`)
    void attempt(() => call('GET /api/invites/:invite', { invite: code })).then(setPreview)
  }, [code, signedIn])
  const refused = error !== undefined && ['banned', 'invite_gone', 'not_found'].includes(error.code)
  const join = async () => {
    const server = await attempt(() => call('POST /api/invites/:invite/join', { invite: code }))
    if (!server) return
    loader.addServer(server)
    rememberReturnPath('/app')
    go(channelPath(server.id))
  }
  return (
    <main class="sign-in">
      <Brand />
      <section class="card invited">
        <h1>{words.invite.title}</h1>
        {preview ? (
          <>
            <Picture
              id={preview.server.id}
              name={preview.server.name}
              file_id={signedIn ? preview.server.icon_file_id : null}
              size={72}
            />
            <p class="large">
              <bdi>{withoutBidi(preview.server.name)}</bdi>
            </p>
            <p class="quiet">{words.members(preview.server.member_count)}</p>
          </>
        ) : null}
        <Refusal error={error} />
        {signedIn ? (
          <>
            {refused ? null : (
              <button class="primary" disabled={busy || !preview} onClick={join}>
                {words.invite.join}
              </button>
            )}
            <a href="/app">{refused ? words.invite.back : words.invite.notNow}</a>
          </>
        ) : (
          <>
            <p class="quiet">{words.invite.needsAccount}</p>
            <a class="button primary" href="/register">
              {words.signIn.register}
            </a>
            <a href="/login">{words.signIn.login}</a>
          </>
        )}
      </section>
    </main>
  )
}
