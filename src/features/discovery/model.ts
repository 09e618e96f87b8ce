import { z } from 'zod'

/** Features of the installation that a client without an account needs to know. */
export const Offers = z
  .object({
    name: z.string().meta({ example: 'Parley' }),
    version: z.string().meta({ example: '0.20.0' }),
    registration: z.enum(['open', 'invite', 'closed']).describe('who may register'),
    max_file_bytes: z.int().describe('bytes of the largest file that may be uploaded'),
    mail: z.boolean().describe('the server sends mail: a forgotten password can be reset'),
    email_verification: z
      .enum(['off', 'required'])
      .describe('`required`: who registers confirms the e-mail address before anything else'),
    oidc: z
      .object({ name: z.string().meta({ example: 'Example Org' }) })
      .nullable()
      .describe('single sign-on, by the name that its button shows'),
    password_login: z.boolean().describe('people log in and register by a password'),
    passkeys: z.boolean().describe('passkeys can be used here'),
    call_encryption: z
      .enum(['off', 'preferred'])
      .describe('whether calls are encrypted end to end, as far as each server wants it'),
    push_key: z.string().nullable().describe('public key of Web Push; null where the server sends none'),
    link_previews: z.boolean().describe('links in messages get previews'),
    client_hash: z
      .string()
      .nullable()
      .describe('SHA-256 of /client.sha256, the list of the web client’s files; null if a clone runs its sources')
      .meta({ example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }),
  })
  .meta({ title: 'Offers' })
export type Offers = z.infer<typeof Offers>
