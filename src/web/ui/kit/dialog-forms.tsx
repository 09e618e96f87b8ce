import type { ComponentChildren } from 'preact'

interface SelectFieldProps<T> {
  label: string
  value: T | undefined
  options: (readonly [value: T, text: string])[]
  onChange: (value: T) => void
  hint?: string
}

/** A labelled choice of one option. */
export const SelectField = <T extends string | number>({
  label,
  value,
  options,
  onChange,
  hint,
}: SelectFieldProps<T>) => (
  <label class="field">
    <span>{label}</span>
    <select
      value={value}
      onChange={(event) => {
        const [option] = options.slice(event.currentTarget.selectedIndex)
        if (option) onChange(option[0])
      }}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
    {hint === undefined ? null : <small>{hint}</small>}
  </label>
)

interface FormFooterProps {
  /** The text of the submit button. */
  submit: string
  busy: boolean
  /** Buttons before the submit button. */
  children?: ComponentChildren
}

/** The buttons below a form. */
export const FormFooter = ({ submit, busy, children }: FormFooterProps) => (
  <div class="footer">
    {children}
    <button class="primary" disabled={busy}>
      {submit}
    </button>
  </div>
)

/** A labelled choice of yes or no. */
export const Switch = ({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) => (
  <label class="check">
    <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
)
