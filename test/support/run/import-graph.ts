import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const TRANSPILERS = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) }

interface Imports {
  /** Paths from the root of the clone. */
  files: string[]
  packages: string[]
}

/** The run-time imports of all programs of the clone, without type-only imports. Paths are relative to the root. */
export class ImportGraph {
  readonly files: string[]
  #importers: Map<string, string[]> | undefined
  #imports = new Map<string, Imports>()
  #texts = new Map<string, string>()

  constructor(private readonly root: string) {
    this.files = [...new Bun.Glob('{src,test,bench}/**/*.{ts,tsx}').scanSync({ cwd: root })].toSorted()
  }

  text(file: string): string {
    let text = this.#texts.get(file)
    if (text === undefined) this.#texts.set(file, (text = readFileSync(join(this.root, file), 'utf8')))
    return text
  }

  of(file: string): Imports {
    let imports = this.#imports.get(file)
    if (imports === undefined) this.#imports.set(file, (imports = this.#scan(file)))
    return imports
  }

  #scan(file: string): Imports {
    const paths = TRANSPILERS[file.endsWith('x') ? 'tsx' : 'ts'].scanImports(this.text(file)).map(({ path }) => path)
    const files = paths.filter((path) => path.startsWith('.')).map((path) => join(dirname(file), path))
    return {
      files: files.filter((path) => /\.tsx?$/.test(path) && existsSync(join(this.root, path))),
      packages: paths.filter((path) => !path.startsWith('.')),
    }
  }

  /** The file and everything that it imports, transitively. */
  closure(file: string): Set<string> {
    const reached = new Set([file])
    for (const each of reached) for (const target of this.of(each).files) reached.add(target)
    return reached
  }

  /**
   * The files that import one of the targets, transitively, and the targets.
   * @param isEnd whether the importers of a file are left out
   */
  importers(targets: string[], isEnd: (file: string) => boolean): Set<string> {
    const reached = new Set(targets)
    for (const each of reached) {
      if (isEnd(each) && !targets.includes(each)) continue
      for (const importer of this.#importersOf(each)) reached.add(importer)
    }
    return reached
  }

  #importersOf(file: string): string[] {
    if (this.#importers === undefined) {
      this.#importers = new Map(this.files.map((each) => [each, []]))
      for (const each of this.files) for (const target of this.of(each).files) this.#importers.get(target)?.push(each)
    }
    return this.#importers.get(file) ?? []
  }
}
