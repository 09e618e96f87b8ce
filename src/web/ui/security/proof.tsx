import type { ComponentChildren } from 'preact'
import type { Factors } from '../../../features/factors/model.ts'
import { ApiError } from '../../client/rest.ts'
import { call } from '../../state/session.ts'
import { securityWords } from '../../words/security.ts'
import { words } from '../../words/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { showDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { FactorForm, type Method, type Shown } from './factor-form.tsx'
import { goToProvider } from './provider.ts'

interface ProofFormProps {
  methods: readonly Method[]
  onDone: () => void
  leave: { text: string; go: () => void }
  children: ComponentChildren
  class?: string
}

/** A form in which the person proves their identity by one of the methods. */
export const ProofForm = ({ onDone, ...props }: ProofFormProps) => {
  const send = async (proof: Shown) => {
    await call('POST /api/auth/proof', {}, proof)
    onDone()
  }
  const options = () => call('POST /api/auth/proof/options')
  const atProvider = () => goToProvider('POST /api/auth/oidc/proof')
  return <FactorForm {...props} submit={securityWords.proof.go} options={options} send={send} atProvider={atProvider} />
}

/** Asks for a proof. @returns true if the person gave it */
const askForProof = ({ methods }: Pick<Factors, 'methods'>): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (isGiven: boolean) => () => {
      close()
      resolve(isGiven)
    }
    showDialog(() => (
      <Dialog title={securityWords.proof.title} onClose={end(false)} class="small">
        <ProofForm methods={methods} onDone={end(true)} leave={{ text: words.cancel, go: end(false) }}>
          <p>{securityWords.proof.text}</p>
        </ProofForm>
      </Dialog>
    ))
    const close = topDialogCloser()
  })

/**
 * Runs a request, and asks for a proof if the server demands one. A proof is valid for ten minutes.
 * @returns undefined if the person gives no proof
 */
export async function withProof<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof_required') throw error
  }
  return (await askForProof(await call('GET /api/auth/factors'))) ? work() : undefined
}

/** Asks for a proof unless the session has a valid one. @returns true to continue */
export async function proveNow(): Promise<boolean> {
  const factors = await call('GET /api/auth/factors')
  return factors.proven_until !== null || askForProof(factors)
}
