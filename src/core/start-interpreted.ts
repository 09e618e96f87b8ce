// Nearly all that a start runs, it runs once: compiled for that, it takes 5 MB more, and a tenth more processor time.
// Bun before 1.4.3 cannot put it off.
Bun.unsafe.setJITPolicy?.(100)
