/** The mark: a hallmark's cut-cornered punch with an A. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path d="M9 1h14l8 8v14l-8 8H9l-8-8V9z" fill="var(--accent)" />
      <path
        d="M16 7l7.500 18h-3.600l-1.700-4.400h-4.400L12.100 25H8.500zm0 6.700l-1.400 3.900h2.800z"
        fill="var(--accent-ink)"
      />
    </svg>
  );
}
