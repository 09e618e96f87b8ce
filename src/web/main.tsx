import { render } from 'preact'
import { connectAccount } from './state/session.ts'
import { keepFocus } from './ui/kit/keep-focus.ts'
import { App } from './ui/shell/app.tsx'

const root = document.getElementById('app')
if (root) render(<App />, root)
keepFocus()
void connectAccount()
