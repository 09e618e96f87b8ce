import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../client/rest.ts'
import { route } from '../../state/route.ts'
import { call } from '../../state/session.ts'
import { operatorWords } from '../../words/operator.ts'
import { words } from '../../words/words.ts'
import { Dialogs, Note } from '../kit/dialogs.tsx'
import { Refusal } from '../kit/forms.tsx'
import { ProofForm } from '../security/proof.tsx'
import { AccountsSection } from './accounts.tsx'
import { ask, standing, useAnswer } from './answers.ts'
import { FiguresSection } from './figures.tsx'
import { BackupsSection, HealthSection, StorageSection } from './installation.tsx'
import { LogSection } from './log.tsx'
import { RegistrationSection } from './registration.tsx'
import { ReportsSection } from './reports.tsx'
import { ServersSection } from './servers.tsx'
import { Empty } from '../kit/empty.tsx'

const SECTIONS: Record<keyof typeof operatorWords.sections, () => ComponentChildren> = {
  figures: () => <FiguresSection />,
  health: () => <HealthSection />,
  accounts: () => <AccountsSection />,
  servers: () => <ServersSection />,
  reports: () => <ReportsSection />,
  registration: () => <RegistrationSection />,
  storage: () => <StorageSection />,
  backups: () => <BackupsSection />,
  log: () => <LogSection />,
}
const isSection = (name: string): name is keyof typeof SECTIONS => Object.hasOwn(SECTIONS, name)

/** The operator's page: /operator. */
export const OperatorPage = () => {
  const { page } = route.value
  const name = route.value.page === 'operator' ? route.value.section : ''
  const section = isSection(name) ? name : 'figures'
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    document.title = `${operatorWords.title} · Parley`
    void look().then(() => setLoaded(true))
  }, [page])
  return (
    <div class="operator">
      <header>
        <h1>{operatorWords.title}</h1>
        <a href="/app">{operatorWords.back}</a>
      </header>
      {standing.value === 'open' && isLoaded ? (
        <>
          <Sections here={section} />
          <main id="main" tabIndex={-1} key={section}>
            {SECTIONS[section]()}
          </main>
        </>
      ) : (
        <main id="main" tabIndex={-1}>
          {!isLoaded ? (
            <p class="quiet loading">{words.loading}</p>
          ) : standing.value === 'proof' ? (
            <Proof />
          ) : (
            <Empty icon="lock" title={operatorWords.nothing} />
          )}
        </main>
      )}
      <Dialogs />
      <Note />
    </div>
  )
}

/** Asks whether the account may see the page. */
async function look(): Promise<void> {
  standing.value = 'open'
  await ask('GET /api/operator/registration').catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) standing.value = 'closed'
  })
}

const Sections = ({ here }: { here: string }) => (
  <nav class="tabs" aria-label={operatorWords.title}>
    {Object.entries(operatorWords.sections).map(([name, title]) => (
      <a key={name} href={`/operator/${name}`} aria-current={name === here ? 'page' : undefined}>
        {title}
      </a>
    ))}
  </nav>
)

const Proof = () => {
  const { answer: factors, error } = useAnswer(() => call('GET /api/auth/factors'))
  if (!factors) return error ? <Refusal error={error} /> : <p class="quiet loading">{words.loading}</p>
  const leave = { text: operatorWords.back, go: () => location.assign('/app') }
  return (
    <ProofForm class="card" methods={factors.methods} onDone={() => (standing.value = 'open')} leave={leave}>
      <h2>{operatorWords.proof.title}</h2>
      <p class="quiet">{operatorWords.proof.text}</p>
    </ProofForm>
  )
}
