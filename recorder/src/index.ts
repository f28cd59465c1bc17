/** A reverse proxy that records executions: what an API's owner, or a neutral third party, runs in front of it. */
export {};
