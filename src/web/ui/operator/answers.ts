import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Call } from '../../client/rest.ts'
import { ApiError } from '../../client/rest.ts'
import { call } from '../../state/session.ts'
import { closeDialogs } from '../kit/dialogs.tsx'
import { useAttempt } from '../kit/forms.tsx'

/** Access to the page; `proof` if the account has to confirm its identity first. */
export const standing = signal<'open' | 'proof' | 'closed'>('open')

/** As `call`; if the server demands a proof, the page asks for one. */
export const ask: Call = async (endpoint, ...inputs) => {
  try {
    return await call(endpoint, ...inputs)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'proof_required') {
      closeDialogs()
      standing.value = 'proof'
    }
    throw error
  }
}

/** The answer of a request, and a function that repeats the request. */
export function useAnswer<T>(request: () => Promise<T>, ...inputs: unknown[]) {
  const [answer, setAnswer] = useState<T>()
  const { attempt, busy, error } = useAttempt()
  const requests = useRef(0)
  const load = async () => {
    const turn = ++requests.current
    const result = await attempt(request)
    // An answer may arrive after that to a later request.
    if (result !== undefined && turn === requests.current) setAnswer(() => result)
  }
  useEffect(() => void load(), inputs)
  return { answer, load, busy, error }
}
