import { useState } from "react";
import { filesOfDrop, filesOfInput, readFiles, type GivenFile, type ReadFiles } from "./read-files.ts";

/** A place to drop files and folders on, and buttons for those who would rather choose them. */
export function FileDrop({
  onRead,
  onDocument,
}: {
  readonly onRead: (read: ReadFiles) => void;
  /** A whole submission document was chosen. */
  readonly onDocument: (file: File) => void;
}) {
  const [isOver, setIsOver] = useState(false);
  const take = (given: Promise<readonly GivenFile[]>): void => {
    void given.then(readFiles).then(onRead);
  };
  return (
    <div
      className={isOver ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        take(filesOfDrop(event.dataTransfer));
      }}
    >
      <p>
        <strong>Drop files or a folder here.</strong> They are read and checked in this browser; nothing is
        sent yet.
      </p>
      <div className="row">
        <Chooser
          label="Choose files …"
          onChoose={(list) => take(Promise.resolve(filesOfInput(list)))}
          isMultiple
        />
        <Chooser
          label="Choose a folder …"
          onChoose={(list) => take(Promise.resolve(filesOfInput(list)))}
          isFolder
        />
        <Chooser
          label="A whole submission (JSON) …"
          accept="application/json,.json"
          onChoose={(list) => {
            const [file] = list ?? [];
            if (file !== undefined) onDocument(file);
          }}
        />
      </div>
    </div>
  );
}

function Chooser({
  label,
  onChoose,
  isMultiple = false,
  isFolder = false,
  accept,
}: {
  readonly label: string;
  readonly onChoose: (list: FileList | null) => void;
  readonly isMultiple?: boolean;
  readonly isFolder?: boolean;
  readonly accept?: string;
}) {
  return (
    <label className="button plain file-button">
      {label}
      <input
        type="file"
        className="sr-only"
        multiple={isMultiple || isFolder}
        {...(isFolder ? { webkitdirectory: "" } : {})}
        {...(accept === undefined ? {} : { accept })}
        onChange={({ target }) => {
          onChoose(target.files);
          target.value = "";
        }}
      />
    </label>
  );
}
