// Imported before everything else. The page's policy forbids code made from text; zod then has to do without, and
// asking the browser whether it may would itself be reported as a violation.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
