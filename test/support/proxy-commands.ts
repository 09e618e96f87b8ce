import { expect } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const guide = readFileSync(join(import.meta.dir, '../../docs/install.md'), 'utf8')

/** The sample of docs/install.md in this language. */
function sample(language: string): string {
  const [, text] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(guide) ?? []
  if (text === undefined) throw new Error(`docs/install.md has no sample for ${language}`)
  return text
}

/** Replaces each text, which the sample has to contain. */
function replaced(text: string, changes: [from: string, to: string][]): string {
  return changes.reduce((current, [from, to]) => {
    expect(current).toContain(from)
    return current.replaceAll(from, to)
  }, text)
}

/** Address of a proxy, with its certificate in the directory. */
export interface Site {
  directory: string
  http: number
  https: number
  /** The port of the server behind the proxy. */
  port: number
}

const certificate = ({ directory }: Site): [string, string][] => [
  ['/etc/ssl/chat.example.org.pem', join(directory, 'cert.pem')],
  ['/etc/ssl/chat.example.org.key', join(directory, 'key.pem')],
]

/** The command that runs nginx on the sample: around it stands what Debian's nginx.conf has. */
export function nginx(program: string, site: Site): string[] {
  const { directory } = site
  const servers = replaced(sample('nginx'), [
    ['listen 80;', `listen 127.0.0.1:${site.http};`],
    ['listen [::]:80;', `listen [::1]:${site.http};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${site.https} ssl;`],
    ['listen [::]:443 ssl;', `listen [::1]:${site.https} ssl;`],
    ['127.0.0.1:3000', `127.0.0.1:${site.port}`],
    ...certificate(site),
  ])
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory};`)
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const file = join(directory, 'nginx.conf')
  writeFileSync(
    file,
    `${user} pid ${directory}/pid; error_log ${directory}/log; daemon off; events {}
http { access_log off; ${folders.join(' ')}\n${servers}}`,
  )
  return [program, '-p', directory, '-c', file]
}

/** The command that runs Caddy on the sample. */
export function caddy(program: string, site: Site): string[] {
  const text = replaced(sample('caddyfile'), [['127.0.0.1:3000', `127.0.0.1:${site.port}`], ...certificate(site)])
  const file = join(site.directory, 'Caddyfile')
  const ports = `http_port ${site.http}\nhttps_port ${site.https}\ndefault_bind [::1] 127.0.0.1`
  writeFileSync(file, `{\nadmin off\n${ports}\n}\n${text}`)
  return [program, 'run', '--adapter', 'caddyfile', '--config', file]
}

/** The command that runs HAProxy on the sample, which is a whole configuration. */
export function haproxy(program: string, site: Site): string[] {
  const { directory } = site
  const both = join(directory, 'both.pem')
  writeFileSync(both, ['cert.pem', 'key.pem'].map((name) => readFileSync(join(directory, name), 'utf8')).join(''))
  const text = replaced(sample('haproxy'), [
    ['bind :80\n', `bind 127.0.0.1:${site.http}\n`],
    ['bind [::]:80 ', `bind [::1]:${site.http} `],
    ['bind :443 ', `bind 127.0.0.1:${site.https} `],
    ['bind [::]:443 ', `bind [::1]:${site.https} `],
    ['127.0.0.1:3000', `127.0.0.1:${site.port}`],
    ['/etc/haproxy/chat.example.org.pem', both],
  ])
  const file = join(directory, 'haproxy.cfg')
  writeFileSync(file, text)
  const checked = Bun.spawnSync([program, '-c', '-f', file])
  // Warnings count too.
  expect([checked.exitCode, checked.stderr.toString()]).toEqual([0, ''])
  return [program, '-db', '-f', file]
}
