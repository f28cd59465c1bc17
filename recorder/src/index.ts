/** A reverse proxy that records executions: what an API's owner, or a neutral third party, runs in front of it. */

export type { Job } from "./job.ts";
export { readKey } from "./key.ts";
export type { Unstamped } from "./mission.ts";
export type { Boundary } from "./missions.ts";
export { type Recorder, type Surroundings, startRecorder } from "./recorder.ts";
export { SETTINGS, type Settings, SettingsError, readSettings } from "./settings.ts";
