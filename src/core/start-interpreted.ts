// Most code of a start runs only once. Compiling it would take 5 MB and a tenth more processor time. Bun before 1.4.3
// cannot delay the compiler.
Bun.unsafe.setJITPolicy?.(100)
