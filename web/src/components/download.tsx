import { Button } from "./button.tsx";

/** Saves bytes as a file. */
export function Download({
  name,
  bytes,
  children,
}: {
  readonly name: string;
  readonly bytes: () => Uint8Array;
  readonly children: string;
}) {
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([bytes().slice()], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return <Button onClick={save}>{children}</Button>;
}
