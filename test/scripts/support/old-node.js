// Preloaded to make a process believe that it is an older Node.
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } });
