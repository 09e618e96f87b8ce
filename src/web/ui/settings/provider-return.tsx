import { takeSignOn } from '../../state/route.ts'
import { settingsWords } from '../../words/settings.ts'
import { signOnWords } from '../../words/sign-on.ts'
import { showNote } from '../kit/dialogs.tsx'
import { showUserSettings } from './show-settings.tsx'
import { refusalIn } from '../security/provider.ts'

const SHOWN_MS = 12_000

/** Shows the result of the identity provider: on the operator's page, otherwise in the security settings. */
export async function tellSignOn(): Promise<void> {
  const outcome = takeSignOn()
  const refusal = refusalIn(outcome)
  const isOperator = location.pathname.startsWith('/operator')
  if (!isOperator) await showUserSettings(settingsWords.settings.tabs.security)
  showNote(refusal?.message ?? (outcome === 'linked' ? signOnWords.linked : signOnWords.proven), SHOWN_MS)
}
