import { lazy, type ComponentType } from "react";

let tell: () => void;
const shown = new Promise<void>((resolve) => (tell = resolve));

/** How long a browser that is never idle is waited for. */
const PATIENCE_MILLISECONDS = 1_000;

/** To be called once the frame of the page stands; it is on the screen, and answers, when the browser is idle. */
export function frameIsShown(): void {
  // Safari has none.
  if ("requestIdleCallback" in window) requestIdleCallback(tell, { timeout: PATIENCE_MILLISECONDS });
  else setTimeout(tell);
}

/** Loads code once the frame of the page is on the screen: to run it takes the time that showing the frame needs. */
export async function whenShown<T>(load: () => Promise<T>): Promise<T> {
  await shown;
  return load();
}

/** A part of the page that is loaded by and for itself, after the frame. */
export function later<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => whenShown(load));
}
