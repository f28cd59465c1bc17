import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

/** One of several panels, of which one is shown. */
export interface Tab {
  readonly name: string;
  readonly title: string;
  readonly content: ReactNode;
}

/** Panels behind tabs; arrow keys, Home and End move between them. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const id = useId();
  const [chosen, setChosen] = useState(tabs[0]?.name);
  const list = useRef<HTMLDivElement>(null);
  const shown = tabs.find(({ name }) => name === chosen) ?? tabs[0];
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab === shown);
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    setChosen(tabs[target]?.name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[target]?.focus();
  };
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-controls={`${id}-panel`}
            aria-selected={tab === shown}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => setChosen(tab.name)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown?.name ?? ""}`} tabIndex={0}>
        {shown?.content}
      </div>
    </div>
  );
}
