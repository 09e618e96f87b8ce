import type { ServerWebSocket } from 'bun'
import type { Remote } from './agent.ts'
import { Session } from './classic.ts'

// `bun bridge.ts`: speaks WebDriver BiDi as Firefox does, and drives WebKitGTK's MiniBrowser by WebDriver, which is all
// that it has. So playwright drives WebKit with the code for Firefox. Answers what the stories need.

/** Interval of questions for what a page has done by itself, ms. */
const POLL_MS = 100
/** Beyond the right edge of the display. */
const AWAY_PX = 5_000
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
/** The world in which playwright looks for elements: the page's own, since WebDriver has no other. */
const UTILITY = '-utility'

type Parameters = Record<string, any>

let playwright: ServerWebSocket | undefined
const say = (method: string, params: object) => playwright?.send(JSON.stringify({ type: 'event', method, params }))

/** A context of playwright: a browser of its own, once something needs it. */
interface Context {
  size: { width: number; height: number }
  session: Promise<Session> | undefined
  hasFirstWindow: boolean
}
const contexts = new Map<string, Context>()

/** A window, and the document in it. */
class Page {
  realm = ''
  url = 'about:blank'
  #renewing: Promise<void> | undefined
  /** The navigation that playwright waits for. */
  #navigation: string | undefined
  readonly #timer = setInterval(() => void this.renew().catch(() => {}), POLL_MS)

  constructor(
    readonly id: string,
    readonly userContext: string,
    readonly session: Session,
    readonly window: string,
  ) {}

  /** Tells playwright of a new document, of errors and of opened dialogs. */
  renew(): Promise<void> {
    return (this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined)))
  }

  async #renew(): Promise<void> {
    const happened = await this.session.happened(this.window)
    if (!happened) return this.#begin()
    const { url, errors, chooser } = happened
    if (url !== this.url) say('browsingContext.historyUpdated', { context: this.id, url })
    this.url = url
    const source = { realm: this.realm, context: this.id }
    for (const suggestedFilename of this.session.newDownloads())
      say('browsingContext.downloadWillBegin', {
        context: this.id,
        navigation: crypto.randomUUID(),
        url,
        suggestedFilename,
      })
    for (const text of errors)
      say('log.entryAdded', { type: 'javascript', level: 'error', text, source, timestamp: Date.now() })
    if (chooser) say('input.fileDialogOpened', { context: this.id, element: { sharedId: chooser }, multiple: true })
  }

  async #begin(): Promise<void> {
    const { id: context } = this
    const isOwn = this.#navigation === undefined
    const navigation = this.#navigation ?? crypto.randomUUID()
    const before = this.realm
    this.realm = crypto.randomUUID()
    await this.session.install(this.window, this.realm)
    this.url = await this.session.do(this.window, 'GET', '/url')
    const { url } = this
    if (before !== '') for (const realm of [before, before + UTILITY]) say('script.realmDestroyed', { realm })
    if (before !== '' && isOwn)
      say('browsingContext.navigationStarted', { context, navigation, url, timestamp: Date.now() })
    if (before !== '') say('browsingContext.navigationCommitted', { context, navigation, url, timestamp: Date.now() })
    say('script.realmCreated', { realm: this.realm, context, origin: URL.parse(url)?.origin ?? '', type: 'window' })
    for (const event of ['domContentLoaded', 'load'])
      say(`browsingContext.${event}`, { context, navigation, url, timestamp: Date.now() })
  }

  /** Runs a script in the realm that playwright means. */
  async script(code: string, parameters: Parameters): Promise<object> {
    const { realm } = this
    const isUtility = parameters.target.sandbox !== undefined
    const isHandled = parameters.resultOwnership === 'root'
    const answer = await this.session
      .run<{ realm: string; failed?: string; result?: Remote }>(
        this.window,
        `if (agent.realm !== input[0]) return null; return agent.answer(${code}, input[1])`,
        realm,
        isHandled,
        parameters.arguments ?? [],
      )
      .catch(() => undefined)
    if (!answer || answer.failed !== undefined) {
      await this.renew()
      // playwright repeats its question if it hears of the end of the realm first.
      await Bun.sleep(20)
      throw new Error(answer?.failed ?? 'The document has gone')
    }
    if (answer.result?.type === 'window') answer.result.value = { context: this.id }
    return isUtility ? { ...answer, realm: answer.realm + UTILITY } : answer
  }

  async navigate(url: string): Promise<object> {
    const navigation = crypto.randomUUID()
    this.#navigation = navigation
    say('browsingContext.navigationStarted', { context: this.id, navigation, url, timestamp: Date.now() })
    await this.session.goto(this.window, url)
    await this.renew()
    await this.renew()
    this.#navigation = undefined
    return { navigation, url }
  }

  async reload(): Promise<object> {
    await this.session.do(this.window, 'POST', '/refresh', {})
    await this.renew()
    return {}
  }

  /** Keys and pointers; WebDriver knows whole pixels only. */
  async act({ actions }: Parameters): Promise<object> {
    for (const { actions: steps } of actions)
      for (const step of steps) for (const axis of ['x', 'y']) if (axis in step) step[axis] = Math.round(step[axis])
    await this.session.do(this.window, 'POST', '/actions', { actions })
    return {}
  }

  async setFiles({ element, files }: Parameters): Promise<object> {
    const script = 'return window.parleyAgent.element(arguments[0])'
    const reference = await this.session.do(this.window, 'POST', '/execute/sync', { script, args: [element.sharedId] })
    const text = files.join('\n')
    await this.session.do(this.window, 'POST', `/element/${reference[ELEMENT]}/value`, { text })
    return {}
  }

  /** Makes the inside of the window this large. */
  async resize({ width, height }: { width: number; height: number }): Promise<void> {
    const put = (wide: number, high: number) =>
      this.session.do(this.window, 'POST', '/window/rect', { x: 0, y: 0, width: wide, height: high })
    await put(width, height)
    const script = 'return [innerWidth, innerHeight]'
    for (let tries = 0; tries < 20; tries++) {
      const [wide, high] = await this.session.do(this.window, 'POST', '/execute/sync', { script, args: [] })
      if (wide === width && high === height) return
      const outer = await this.session.do(this.window, 'GET', '/window/rect')
      await put(outer.width + width - wide, outer.height + height - high)
      await Bun.sleep(50)
    }
  }

  moveTo = (x: number): Promise<void> => this.session.do(this.window, 'POST', '/window/rect', { x, y: 0 })

  close(): void {
    clearInterval(this.#timer)
    pages.delete(this.id)
    say('browsingContext.contextDestroyed', {
      context: this.id,
      url: this.url,
      userContext: this.userContext,
      parent: null,
      children: [],
    })
  }
}
const pages = new Map<string, Page>()

async function openPage(userContext: string): Promise<object> {
  const context = contexts.get(userContext)
  if (!context) throw new Error('There is no such context')
  const session = await (context.session ??= Session.open())
  const window = context.hasFirstWindow ? await session.openWindow() : session.first
  context.hasFirstWindow = true
  const page = new Page(crypto.randomUUID(), userContext, session, window)
  pages.set(page.id, page)
  await page.resize(context.size)
  const entry = { context: page.id, url: 'about:blank', userContext, parent: null, originalOpener: null }
  say('browsingContext.contextCreated', { ...entry, children: null, clientWindow: page.id })
  await page.renew()
  return { context: page.id }
}

const pageOf = ({ context, target }: Parameters): Page => {
  const page = pages.get(context ?? target?.context)
  if (!page) throw new Error('There is no such window')
  return page
}
const contextsOf = ({ userContexts = [] }: Parameters): Context[] =>
  userContexts.flatMap((id: string) => contexts.get(id) ?? [])

/** Arguments of playwright with the text of a function that it evaluates in the page. */
const TEXTS = ['functionText', 'callbackText', 'expression']

/** The texts among these arguments that playwright evaluates in the page. */
function textsIn(args: unknown): string[] {
  if (typeof args !== 'object' || args === null) return []
  const pairs = (args as Remote).value
  // playwright writes each property as an object with a key k and a value v.
  if (Array.isArray(pairs) && pairs[0]?.[0]?.value === 'k' && TEXTS.includes(pairs[0][1]?.value))
    return [pairs[1]?.[1]?.value]
  return (Array.isArray(args) ? args : Object.values(args)).flatMap(textsIn)
}

/**
 * Code that calls a function of playwright, which evaluates texts among its arguments. The policy of our pages forbids
 * that, so the code has these texts in it already.
 */
function calling({ functionDeclaration, arguments: args = [] }: Parameters): string {
  const call = `(${functionDeclaration})(...input[2].map(agent.take))`
  if (!functionDeclaration.includes('utilityScript.evaluate(')) return `() => ${call}`
  const { value: text } = args[3]
  args[3] = { type: 'string', value: '' }
  const cases = textsIn(args.slice(4)).map((inner) => {
    const texts = JSON.stringify([inner, `(${inner})`])
    return `if (${texts}.includes(text)) return (${inner})`
  })
  return `() => {
    const before = window.eval;
    window.eval = (text) => {
      ${cases.join('\n')}
      if (text !== '') throw new Error('This text may not be evaluated');
      const value = ${text}
      return value;
    };
    try { return ${call} } finally { window.eval = before }
  }`
}

/** Commands of WebDriver BiDi; the others are answered with nothing. */
const COMMANDS: Record<string, (parameters: Parameters) => unknown> = {
  'session.new': () => ({
    sessionId: 'webkit',
    capabilities: { browserName: 'MiniBrowser', browserVersion: 'WebKitGTK', userAgent: 'WebKit' },
  }),
  'browser.createUserContext': () => {
    const userContext = crypto.randomUUID()
    contexts.set(userContext, {
      size: { width: 1280, height: 800 },
      session: undefined,
      hasFirstWindow: false,
    })
    return { userContext }
  },
  'browser.removeUserContext': async ({ userContext }) => {
    for (const page of pages.values()) if (page.userContext === userContext) page.close()
    await (await contexts.get(userContext)?.session)?.end()
    contexts.delete(userContext)
    return {}
  },
  'browser.close': () => void setTimeout(() => void end(), 1),
  'browsingContext.setViewport': async (parameters) => {
    if (parameters.viewport) for (const context of contextsOf(parameters)) context.size = parameters.viewport
    if (parameters.viewport && parameters.context) await pageOf(parameters).resize(parameters.viewport)
    return {}
  },
  'storage.setCookie': async ({ cookie, partition }) => {
    const context = contexts.get(partition.userContext)
    if (!context) throw new Error('There is no such context')
    const session = await (context.session ??= Session.open())
    const { name, value, domain, path, httpOnly, secure } = cookie
    session.keepCookie({ name, value: value.value, domain, path, httpOnly, secure })
    return {}
  },
  'browsingContext.create': ({ userContext }) => openPage(userContext),
  'browsingContext.navigate': (parameters) => pageOf(parameters).navigate(parameters.url),
  'browsingContext.reload': (parameters) => pageOf(parameters).reload(),
  'browsingContext.activate': async (parameters) => {
    const page = pageOf(parameters)
    // Without a window manager the window under the pointer has the focus.
    for (const other of pages.values()) if (other !== page) await other.moveTo(AWAY_PX)
    await page.moveTo(0)
    return {}
  },
  'browsingContext.close': async (parameters) => {
    const page = pageOf(parameters)
    await page.session.do(page.window, 'DELETE', '/window')
    page.close()
    return {}
  },
  'script.evaluate': (parameters) =>
    pageOf(parameters).script(`async () => { const value = ${parameters.expression}\nreturn value }`, parameters),
  'script.callFunction': (parameters) => pageOf(parameters).script(calling(parameters), parameters),
  'script.disown': async (parameters) => {
    const page = pageOf(parameters)
    await page.session.run(page.window, 'agent.forget(input[0])', parameters.handles)
    return {}
  },
  'input.performActions': (parameters) => pageOf(parameters).act(parameters),
  'input.setFiles': (parameters) => pageOf(parameters).setFiles(parameters),
  'network.addIntercept': () => ({ intercept: crypto.randomUUID() }),
  'network.addDataCollector': () => ({ collector: crypto.randomUUID() }),
  'script.addPreloadScript': () => ({ script: crypto.randomUUID() }),
}

async function end(): Promise<never> {
  for (const { session } of contexts.values()) await (await session)?.end()
  process.exit(0)
}

async function answer({ id, method, params }: { id: number; method: string; params: Parameters }): Promise<void> {
  try {
    const result = (await COMMANDS[method]?.(params)) ?? {}
    playwright?.send(JSON.stringify({ type: 'success', id, result }))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    playwright?.send(JSON.stringify({ type: 'error', id, error: 'unknown error', message }))
  }
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request, to) => (to.upgrade(request, { data: undefined }) ? undefined : new Response(null, { status: 426 })),
  websocket: {
    idleTimeout: 0,
    maxPayloadLength: 256 * 1024 * 1024,
    open: (socket) => void (playwright = socket),
    message: (_, text) => void answer(JSON.parse(String(text))),
    close: () => void end(),
  },
})
process.on('SIGTERM', () => void end())
// playwright waits for this line.
console.error(`WebDriver BiDi listening on ws://127.0.0.1:${server.port}`)
