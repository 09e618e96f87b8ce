/**
 * For `Bun.build`: of a file `*.built.ts` only the values that it exports go in, computed by the build. Where the
 * sources run, it is a module like any other. Bun's macros do this as well, but not below a folder with an apostrophe.
 */
export const builtValues: Bun.BunPlugin = {
  name: 'built values',
  setup(build) {
    build.onLoad({ filter: /\.built\.ts$/ }, async ({ path }) => {
      const values: [name: string, value: unknown][] = Object.entries(await import(path))
      const lines = values.map(([name, value]) =>
        name === 'default'
          ? `export default ${JSON.stringify(value)}`
          : `export const ${name} = ${JSON.stringify(value)}`,
      )
      return { contents: lines.join('\n'), loader: 'js' }
    })
  },
}
