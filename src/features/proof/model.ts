import { z } from 'zod'
import { secondFactorMethods } from '../../core/errors.ts'
import { Time } from '../../core/schema.ts'
import { Password } from '../accounts/model.ts'
import { factorFields, hasOne } from '../factors/model.ts'

export const ProofDraft = z
  .strictObject({ password: Password.optional(), ...factorFields })
  .refine(
    (body) => hasOne(body, 'password', ...secondFactorMethods),
    'Give a password, a code, a recovery_code or a passkey',
  )
  .meta({ example: { code: '492039' } })

export const Proven = z.object({ proven_until: Time }).meta({ title: 'Proven' })
