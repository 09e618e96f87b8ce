import { expect } from 'bun:test'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

/** Installing asks the registry, and the machine may be busy. */
export const INSTALL_MS_MAX = 240_000

/** Runs a program to its end and returns what it printed. */
export async function runProgram(folder: string, ...command: string[]): Promise<string> {
  const program = Bun.spawn(command, { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(program.stdout).text(), new Response(program.stderr).text()])
  expect([command.join(' '), await program.exited, out + err]).toEqual([command.join(' '), 0, out + err])
  return out
}

/** Packs the typed client, in a copy: packing replaces the project's manifest for a while. @returns the tarball */
export async function packClient(directory: string): Promise<string> {
  const copy = join(directory, 'project')
  mkdirSync(copy)
  for (const name of ['package.json', 'tsconfig.json', 'README.md', 'src'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const before = readFileSync(join(copy, 'package.json'), 'utf8')
  await runProgram(copy, process.execPath, 'pm', 'pack', '--quiet')
  expect(readFileSync(join(copy, 'package.json'), 'utf8')).toBe(before)
  return join(copy, readdirSync(copy).find((name) => name.endsWith('.tgz')) ?? '')
}

/** A folder for a program that uses the package. */
export function emptyFolder(directory: string, name: string): string {
  const folder = join(directory, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"name":"consumer","private":true,"type":"module"}')
  return folder
}

/** Versions of Node, which npm has as packages. Node 20 hides its WebSocket behind a flag. */
const NODES = { 'Node 20': '20.20.2', 'Node 22': '22.23.3', 'Node 24': '24.21.0' } as const
export const RUNTIMES = ['Bun', ...(Object.keys(NODES) as (keyof typeof NODES)[])] as const

/** The command of a runtime. @throws Error when the registry does not have it */
export async function runtimeCommand(runtime: (typeof RUNTIMES)[number]): Promise<string[]> {
  if (runtime === 'Bun') return [process.execPath]
  const name = `node-linux-${process.arch}`
  const folder = emptyFolder(mkdtempSync(join(tmpdir(), 'node-')), 'node')
  await runProgram(folder, process.execPath, 'add', '--no-save', `${name}@${NODES[runtime]}`)
  const program = join(folder, 'node_modules', name, 'bin/node')
  if (!existsSync(program)) throw new Error(`${name} has no program`)
  return [program, ...(runtime === 'Node 20' ? ['--experimental-websocket'] : [])]
}
