import { createContext, use, useMemo, useSyncExternalStore, type ReactNode } from "react";
import { createResource, type Reading, type Resource, type ResourceOptions } from "./resource.ts";

/** Resources by key, so that everything on a page that asks the same thing asks it once. */
interface Resources {
  of<T>(key: string, options: Omit<ResourceOptions<T>, "isVisible">): Resource<T>;
}

function createResources(): Resources {
  const known = new Map<string, Resource<unknown>>();
  const isVisible = (): boolean => document.visibilityState === "visible";
  return {
    of<T>(key: string, options: Omit<ResourceOptions<T>, "isVisible">) {
      const found = known.get(key) as Resource<T> | undefined;
      if (found !== undefined) return found;
      const made = createResource({ ...options, isVisible });
      known.set(key, made);
      return made;
    },
  };
}

const ResourcesContext = createContext<Resources | null>(null);

/** Holds what the pages below it have read. */
export function ResourcesProvider({ children }: { readonly children: ReactNode }) {
  const resources = useMemo(() => createResources(), []);
  return <ResourcesContext value={resources}>{children}</ResourcesContext>;
}

/**
 * Reads something for as long as the component is shown.
 *
 * @param key names what is read, with everything that it depends on: two readings under one key are the same.
 */
export function useResource<T>(
  key: string,
  options: Omit<ResourceOptions<T>, "isVisible">,
): Reading<T> & { readonly reload: () => void } {
  const resources = use(ResourcesContext);
  if (resources === null) throw new Error("useResource needs a ResourcesProvider above it");
  const resource = resources.of(key, options);
  const reading = useSyncExternalStore(resource.subscribe, resource.snapshot);
  return { ...reading, reload: resource.reload };
}
