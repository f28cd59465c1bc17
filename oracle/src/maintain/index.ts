export { MaintenanceError, type MaintenanceErrorCode } from "./errors.ts";
export { storeLocation } from "./location.ts";
export { maintain, type StoreLocation } from "./maintain.ts";
export { perform, type MaintenanceCommand, type MaintenanceOutcome } from "./perform.ts";
export { serveAdmin, type AdminServer } from "./server.ts";
