import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Declared, type ParsedSource, parseSource } from './support/parsed-source.ts'

// The rules of English and of names that a test can check.
const root = join(import.meta.dir, '..')
const files = (pattern: string) => [...new Bun.Glob(pattern).scanSync({ cwd: root })].sort()
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const parsed = new Map(
  files('{src,test,bench}/**/*.{ts,tsx}').map((file) => [file, parseSource(file, read(file))] as const),
)

/** A plainer word exists for each: only, concurrently, notified, next to, except. */
const BANNED_WORDS = new RegExp(
  String.raw`\b(?:(?:the|an) own|beside|alone|at a time|told|whom|such an?|but for|need not|oneself|so many)\b`,
  'i',
)
const banned = (file: string, prose: { text: string; line: number }[]) =>
  prose.flatMap(({ text, line }) => {
    const found = BANNED_WORDS.exec(text)
    return found ? [`${file}:${line + text.slice(0, found.index).split('\n').length - 1} ${found[0]}`] : []
  })

test('comments, titles, documents, texts of the server and words of the client use the plainer word', () => {
  // Strings of components are classes and properties: their words are in locales/en.
  const isEnglish = (file: string) => /^src\/(?!web\/words\/).*\.ts$/.test(file)
  const isSentence = ({ text }: { text: string }) => / /.test(text)
  const prose = [...parsed]
  expect(prose.reduce((sum, [, { comments }]) => sum + comments.length, 0)).toBeGreaterThan(4000)
  expect(
    prose.flatMap(([file, { comments, titles, strings }]) =>
      banned(file, [...comments, ...titles, ...(isEnglish(file) ? strings.filter(isSentence) : [])]),
    ),
  ).toEqual([])
  const wordsOfClient = files('locales/en/*.json')
  expect(wordsOfClient.length).toBeGreaterThan(30)
  const withoutKeys = (file: string) => read(file).replace(/^( *)"[^"]*": /gm, '$1')
  expect(wordsOfClient.flatMap((file) => banned(file, [{ text: withoutKeys(file), line: 1 }]))).toEqual([])
  // A sheet of results quotes the names of figures.
  const documents = ['*.md', 'docs/*.md', 'bench/NOTEBOOK.md'].flatMap(files)
  expect(documents.flatMap((file) => banned(file, [{ text: read(file), line: 1 }]))).toEqual([])
  const inFunctions = files('sql/functions/**/*.sql').flatMap((file) =>
    [...read(file).matchAll(/--.*/g)].flatMap(([text]) => banned(file, [{ text, line: 1 }])),
  )
  expect(inFunctions).toEqual([])
  const inSheets = files('src/web/**/*.css').flatMap((file) =>
    [...read(file).matchAll(/\/\*[^]*?\*\//g)].flatMap(([text]) => banned(file, [{ text, line: 1 }])),
  )
  expect(inSheets).toEqual([])
})

/** The declared names that break a rule, each with its place. */
const broken = (isBroken: (declared: Declared, file: string, source: ParsedSource) => boolean) =>
  [...parsed].flatMap(([file, source]) =>
    source.declared
      .filter((declared) => isBroken(declared, file, source))
      .map(({ name, line }) => `${file}:${line} ${name}`),
  )

const BARE_PARTICIPLES = new Set(
  'told given held known asked shown meant kept taken left gone wanted needed said made heard whom'.split(' '),
)

test('no variable, parameter, function or class member is named by a bare participle', () => {
  // The left edge, or the left side, of something that also has another one.
  const isSide = (name: string, file: string) => name === 'left' && /\b(?:right|top)\b/.test(read(file))
  expect(broken(({ name }, file) => BARE_PARTICIPLES.has(name) && !isSide(name, file))).toEqual([])
})

const everyField = new Set([...parsed.values()].flatMap(({ fields }) => [...fields]))

test('locals, parameters, functions and class members are in camelCase, unless they carry a field’s name', () => {
  const isSnake = (name: string) => /^[a-z]\w*_\w/.test(name)
  // Members of what is published as a package are a contract.
  const isPublished = (file: string) => /^src\/web\/(?:client|voice)\//.test(file)
  expect(
    broken(({ name, kind }, file, { fields }) => {
      const isField = kind === 'member' ? everyField.has(name) || isPublished(file) : fields.has(name)
      return isSnake(name) && !isField
    }),
  ).toEqual([])
})

/** Fields that only a program outside, a worker or stored data reads: no SQL, contract, document or string has them. */
const OUTSIDE_FIELDS = new Set(
  Object.values({
    postgres: `connect_timeout hba_file ident_file log_min_error_statement log_min_messages logging_collector
      max_lifetime max_slot_wal_keep_size max_wal_size recovery_target_action recovery_target_time
      recovery_target_timeline shared_buffers unix_socket_permissions wal_recycle
      wal_retrieve_retry_interval`,
    openid: `authorization_endpoint client_id client_secret max_age redirect_uri response_type token_endpoint`,
    openidCookie: 'started_s',
    github: `code_scanning_alert commit_comment discussion_comment issue_comment pull_request_review_comment`,
    discord: `allow_list custom_message default_channel_ids duration_seconds edited_timestamp global_name guild_id
      in_onboarding keyword_filter mention_roles mention_total_limit permission_overwrites regex_patterns
      single_select`,
    manifest: 'background_color short_name start_url theme_color',
    libraries: 'absl_flat_hash_map epoll_create1 epoll_ctl epoll_wait',
    turnWorker: `allowed_peers bytes_in bytes_out bytes_per_s packets_in packets_out read_s relay_ports tls_port`,
    notices: 'is_in session_ids',
    callOnItsWay: 'active_ms lost_ms silent_ms',
    adminLog: 'given_to link_for',
    browserCompatData: 'safari_ios webview_android',
    importedMessages: 'forward_of',
    drafts: 'lacks_reply',
    publishedPackage: 'receives_what_is_looked_at',
  }).flatMap((names) => names.split(/\s+/)),
)

test('only properties that are fields of something outside the process are in snake_case', () => {
  const boundary = ['sql/**/*.sql', 'test/api/golden/*', 'docs/*.md'].flatMap(files).flatMap(read)
  const fields = new Set(boundary.flatMap((text) => text.match(/\b[a-z]\w*_\w+/g) ?? []))
  for (const [file, { snakeWords }] of parsed)
    if (file !== 'test/tidy-words.test.ts') for (const word of snakeWords) fields.add(word)
  const named = new Set<string>()
  // Discord's fields are in src/discord, hundreds of them.
  const isChecked = (file: string) => file.startsWith('src/') && !file.startsWith('src/discord/')
  const inner = [...parsed].flatMap(([file, { properties }]) =>
    (isChecked(file) ? properties : []).flatMap(({ name, line }) => {
      named.add(name)
      const isField = !/^[a-z]\w*_\w/.test(name) || fields.has(name) || OUTSIDE_FIELDS.has(name)
      return isField ? [] : [`${file}:${line} ${name}`]
    }),
  )
  expect(inner).toEqual([])
  expect([...OUTSIDE_FIELDS].filter((name) => !named.has(name) || fields.has(name))).toEqual([])
})

test('a variable, parameter or class member that is certainly a boolean begins with is, has, can or was', () => {
  // `may`, `should` and the like ask as well.
  const isQuestion = (name: string) =>
    /^(?:is|has|can|was|are|were|should|must|may|did|does|will|needs)(?:[A-Z]|$)/.test(name)
  expect(
    broken(
      ({ name, kind, isBoolean }, _file, { fields }) =>
        isBoolean && !isQuestion(name) && !(kind === 'member' ? everyField : fields).has(name),
    ),
  ).toEqual([])
})

/** The words of a name: `roomOf` has two. */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')

test('names use the words of docs/glossary.md: none that it rejects, and room only for a call', () => {
  const [, table = ''] = read('docs/glossary.md').split('| not | but |')
  const rejected = new Set([...table.matchAll(/^\| ([a-z, ]+) \|/gm)].flatMap(([, words = '']) => words.split(', ')))
  expect(rejected.size).toBeGreaterThan(20)
  const isDiscord = (file: string) => /features\/imports\/|test\/support\/imports|\/discord\b/.test(file)
  const isOfCalls = (file: string) => /voice|sfu|call|chaos/i.test(file) || file === 'src/environment.ts'
  expect(
    broken(({ name }, file) =>
      wordsOf(name).some(
        (word) => (rejected.has(word) && !isDiscord(file)) || (/^rooms?$/.test(word) && !isOfCalls(file)),
      ),
    ),
  ).toEqual([])
})
