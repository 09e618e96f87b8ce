import { onTestFinished } from 'bun:test'
import { dataDirectory, launch } from './spawned.ts'
import { until } from './until.ts'

/** A server in a process of its own, with everything that it logs. It is killed when the test ends. */
export class LoggedProcess {
  log = ''
  readonly #child: ReturnType<typeof launch>
  readonly #ended: Promise<void>

  private constructor(variables: Record<string, string>) {
    this.#child = launch(dataDirectory(), { ...variables, LOG_LEVEL: 'info' })
    this.#ended = this.#read()
  }

  /** Starts it, and waits until it listens. */
  static async start(variables: Record<string, string>): Promise<LoggedProcess> {
    const started = new LoggedProcess(variables)
    onTestFinished(() => started.#child.kill('SIGKILL'))
    await until(() => started.log.includes('"listening"') || started.#child.exitCode !== null)
    if (started.#child.exitCode !== null) throw new Error(await new Response(started.#child.stderr).text())
    return started
  }

  async #read(): Promise<void> {
    for await (const chunk of this.#child.stdout.pipeThrough(new TextDecoderStream())) this.log += chunk
  }

  get url(): string {
    return /"url":"([^"]+)"/.exec(this.log)?.[1] ?? ''
  }

  signal(name: 'SIGTERM' | 'SIGINT'): void {
    this.#child.kill(name)
  }

  /** The exit code, when everything that it logged has been read. */
  async exitCode(): Promise<number> {
    const code = await this.#child.exited
    await this.#ended
    return code
  }
}
