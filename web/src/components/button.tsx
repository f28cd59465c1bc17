import type { ButtonHTMLAttributes } from "react";

/** A button named by what it does. */
export function Button({
  kind = "plain",
  ...attributes
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly kind?: "primary" | "plain" | "quiet" | "danger" }) {
  return <button type="button" {...attributes} className={`button ${kind}`} />;
}
