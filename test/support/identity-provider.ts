import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import OidcProvider from 'oidc-provider'

export interface Claims {
  email?: string
  email_verified?: boolean
  name?: string
  preferred_username?: string
}

interface Settings {
  /** Allowed redirect addresses. */
  redirect_uris: string[]
  /** The port to listen on; a free one, unless it is given. */
  port?: number
}

const CLIENT = { client_id: 'parley', client_secret: 'a secret of the tests: 0123456789' }

/** A key that signs ID tokens, as a JWK. */
async function signingKey() {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, hash: 'SHA-256' }
  const pair = await crypto.subtle.generateKey({ ...algorithm, publicExponent: new Uint8Array([1, 0, 1]) }, true, [
    'sign',
    'verify',
  ])
  const { key_ops: _, ...jwk } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  return { ...jwk, use: 'sig', alg: 'RS256', kid: 'one' }
}

/**
 * A real OpenID Connect provider (npm oidc-provider) on loopback. Its people log in without a password: as `next`, or
 * by typing their name into its page.
 */
export class IdentityProvider {
  /** Claims of each person, by subject. */
  readonly people = new Map<string, Claims>()
  /** The subject that logs in without a page; undefined shows the page. */
  next: string | undefined
  /** Seconds by which `auth_time` lies in the past, whatever was asked for. */
  staleS = 0
  /** Answers everything else with this, where it is set. */
  instead: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  readonly #server: Server
  readonly issuer: string

  private constructor(server: Server, issuer: string) {
    this.#server = server
    this.issuer = issuer
  }

  static async open({ redirect_uris, port = 0 }: Settings): Promise<IdentityProvider> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const own = new IdentityProvider(server, `http://127.0.0.1:${address.port}`)
    const provider = new OidcProvider(own.issuer, {
      clients: [{ ...CLIENT, redirect_uris }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
      features: { devInteractions: { enabled: false } },
      cookies: { keys: ['of the tests'] },
      jwks: { keys: [await signingKey()] },
      ttl: Object.fromEntries(['AccessToken', 'Grant', 'IdToken', 'Interaction', 'Session'].map((of) => [of, 600])),
      pkce: { required: () => true },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...own.people.get(sub) }) }),
      async loadExistingGrant({ oidc }: any) {
        const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
        grant.addOIDCScope('openid profile email')
        await grant.save()
        return grant
      },
    } as any)
    const answer = provider.callback()
    server.on('request', (request, response) => {
      if (own.instead?.(request, response)) return
      if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
      void own.#interact(provider, request, response)
    })
    return own
  }

  async #interact(provider: OidcProvider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const typed = new URL(request.url ?? '', this.issuer).searchParams.get('name')
    const who = typed ?? this.next
    if (who === undefined) {
      response.setHeader('content-type', 'text/html')
      response.end('<title>Provider</title><form><label>Name <input name=name></label><button>Enter</button></form>')
      return
    }
    const ts = Math.floor(Date.now() / 1000) - this.staleS
    const result = who === '' ? { error: 'access_denied' } : { login: { accountId: who, ts } }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }

  /** The environment of a server whose people log in here. */
  variables(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_NAME: 'Example Org',
    }
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}
