import { render } from 'preact'
import { begin } from './state/session.ts'
import { App } from './ui/shell/app.tsx'

const root = document.getElementById('app')
if (root) render(<App />, root)
void begin()
