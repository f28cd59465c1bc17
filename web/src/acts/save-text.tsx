import { Button } from "../components/button.tsx";

/** Saves a text as a file of this machine. */
export function SaveText({
  name,
  text,
  label,
}: {
  readonly name: string;
  readonly text: string;
  readonly label: string;
}) {
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    URL.revokeObjectURL(url);
  };
  return <Button onClick={save}>{label}</Button>;
}
