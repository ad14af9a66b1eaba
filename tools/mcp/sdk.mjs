// The official TypeScript SDKs, both generations, list and call every tool: over HTTP at BASE in both protocols, and over
// stdio through `assay mcp`.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { calls, judge } from "./call.mjs";

const { ASSAY, ASSAY_API_KEY, BASE } = process.env;
const info = { name: "assay-clients", version: "1.0.0" };
const headers = { requestInit: { headers: { "X-API-Key": ASSAY_API_KEY } } };
const pinned = (pin) => new Client(info, { versionNegotiation: { mode: { pin } } });

let right = true;
for (const product of ["ltl", "abc"]) {
  const url = new URL(`${BASE}/mcp/${product}`);
  for (const [who, client, transport] of [
    ["SDK 2, 2026-07-28", pinned("2026-07-28"), new StreamableHTTPClientTransport(url, headers)],
    ["SDK 2, handshake", new Client(info), new StreamableHTTPClientTransport(url, headers)],
    ["SDK 1", new OlderClient(info), new OlderTransport(url, headers)],
    ["SDK 2, stdio", new Client(info), new StdioClientTransport({ command: ASSAY, args: ["mcp", product, "--url", BASE], env: { ASSAY_API_KEY } })],
  ]) {
    await client.connect(transport);
    const { tools } = await client.listTools();
    for (const { name } of tools) {
      right = judge(who, name, await client.callTool({ name, arguments: calls[name] })) && right;
    }
    const { prompts } = await client.listPrompts();
    right = prompts.length === 1 && tools.every(({ name }) => name in calls) && right;
    await client.close();
  }
}
process.exit(right ? 0 : 1);
