import { useEffect, useState } from 'preact/hooks'
import type { Identity } from '../../../features/oidc/model.ts'
import { momentOf } from '../../state/format.ts'
import { call } from '../../state/session.ts'
import { signOnWords } from '../../words/sign-on.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { withProof } from './proof.tsx'
import { goToProvider } from './provider.ts'

/** The identity that the account is linked with: linking and unlinking it. */
export const LinkedIdentities = ({ name: provider, reload }: { name: string; reload: () => void }) => {
  const [identities, setIdentities] = useState<Identity[]>()
  const { attempt, busy, error } = useAttempt()
  const load = () =>
    void attempt(() => call('GET /api/auth/oidc/identities')).then((rows) => rows && setIdentities(rows))
  useEffect(load, [])
  const link = () => void attempt(() => withProof(() => goToProvider('POST /api/auth/oidc/link')))
  const unlink = (identity_id: number) =>
    withProof(async () => {
      await call('DELETE /api/auth/oidc/identities/:identity_id', { identity_id })
      load()
      reload()
    })
  const askToUnlink = ({ id, name }: Identity) =>
    askToConfirm({
      title: signOnWords.unlinkOf(name),
      text: signOnWords.unlinkText(name),
      action: signOnWords.unlink,
      work: () => unlink(id),
    })
  return (
    <section aria-label={signOnWords.title}>
      <h3>{signOnWords.title}</h3>
      <p class="quiet">{signOnWords.text(provider)}</p>
      <Refusal error={error} says={signOnWords.problems} />
      <ul class="table">
        {identities?.map((identity) => (
          <li key={identity.id} class="row">
            <span>
              <strong>{identity.name}</strong>
              <small>
                {identity.last_used_at === null
                  ? signOnWords.since(momentOf(identity.created_at))
                  : signOnWords.used(momentOf(identity.last_used_at))}
              </small>
            </span>
            <button
              type="button"
              aria-label={signOnWords.unlinkOf(identity.name)}
              onClick={() => askToUnlink(identity)}
            >
              {signOnWords.unlink}
            </button>
          </li>
        ))}
      </ul>
      {identities?.length === 0 ? (
        <p class="buttons">
          <button type="button" disabled={busy} onClick={link}>
            {signOnWords.link(provider)}
          </button>
        </p>
      ) : null}
    </section>
  )
}
