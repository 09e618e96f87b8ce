/** Parley's mark: a P that is a speech bubble, and in it somebody who speaks. src/web/icon.svg draws it as well. */
const Mark = ({ size }: { size: number }) => (
  <svg class="mark" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
    <rect class="mark-ground" width="32" height="32" rx="9" />
    <path
      class="mark-bubble"
      d="M9 10.6A3.6 3.6 0 0 1 12.6 7H17.3a6.8 6.8 0 0 1 0 13.6H14L9.9 25.1A.55.55 0 0 1 9 24.7z"
    />
    <circle class="mark-dot" cx="16.6" cy="13.8" r="2.9" />
  </svg>
)

/** The mark and the name, on pages without an account. */
export const Brand = () => (
  <div class="brand">
    <Mark size={44} />
    <span>Parley</span>
  </div>
)
