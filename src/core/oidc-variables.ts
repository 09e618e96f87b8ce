import { z } from 'zod'
import { RefusesToBoot } from './errors.ts'
import { onOff, secureUrl } from './variable-values.ts'

/** The variables of single sign-on. */
export const oidcVariables = {
  OIDC_ISSUER: secureUrl
    .optional()
    .describe(
      'issuer URL of an OpenID Connect provider, by which people log in; needs `OIDC_CLIENT_ID`, ' +
        '`OIDC_CLIENT_SECRET` and `PUBLIC_URL`; register `<PUBLIC_URL>/api/auth/oidc/callback` there as redirect URI',
    ),
  OIDC_CLIENT_ID: z.string().min(1).max(512).optional().describe('name of this installation at the provider'),
  OIDC_CLIENT_SECRET: z.string().min(1).max(2048).optional().describe('secret of `OIDC_CLIENT_ID`'),
  OIDC_NAME: z
    .string()
    .regex(/^[^\p{Cc}]{1,64}$/u)
    .default('single sign-on')
    .describe('what the login page calls the provider'),
  OIDC_SCOPES: z
    .string()
    .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/)
    .max(512)
    .refine((value) => value.split(' ').includes('openid'), 'Must contain openid')
    .default('openid profile email')
    .describe('scopes to ask the provider for, with spaces between; `email` tells the address of a new account'),
  PASSWORD_LOGIN: onOff
    .default('on')
    .describe('`off`: nobody logs in, registers or resets by a password; needs `OIDC_ISSUER`'),
  OIDC_REGISTRATION: onOff
    .default('on')
    .describe('`off`: the provider lets nobody in who has no account; the stricter of this and `REGISTRATION` holds'),
}

type OidcVariables = {
  [name in 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'PUBLIC_URL']?: string | undefined
}

/** @throws RefusesToBoot if some variables of single sign-on are set and others are missing */
export function demandOidc({
  OIDC_ISSUER,
  OIDC_CLIENT_ID,
  OIDC_CLIENT_SECRET,
  PUBLIC_URL,
  PASSWORD_LOGIN,
}: OidcVariables & { PASSWORD_LOGIN: 'on' | 'off' }): void {
  if (new Set([OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET].map((value) => value === undefined)).size > 1)
    throw new RefusesToBoot('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are only usable together.')
  // The provider redirects only to a registered address, so the Host header of a request cannot be used.
  if (OIDC_ISSUER !== undefined && PUBLIC_URL === undefined)
    throw new RefusesToBoot('OIDC_ISSUER is only usable with PUBLIC_URL, because the provider redirects to it.')
  if (PASSWORD_LOGIN === 'off' && OIDC_ISSUER === undefined)
    throw new RefusesToBoot('PASSWORD_LOGIN=off is only usable with OIDC_ISSUER.')
}
