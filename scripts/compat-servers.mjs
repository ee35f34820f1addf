// Thirty public MCP servers of the npm registry, each at the version this page was last written for.
// Chosen for what they do: both protocols, several SDKs and languages, very long lists, noise, odd endings, and needs told in odd ways.

const KUBECONFIG = `apiVersion: v1
kind: Config
current-context: none
clusters:
  - name: none
    cluster: { server: "https://127.0.0.1:1" }
contexts:
  - name: none
    context: { cluster: none }
`;

/**
 * @typedef {object} PublicServer
 * @property {string} name
 * @property {string} version
 * @property {string[]} [args]
 * @property {string} [binary] A program inside the package, where it is no script.
 * @property {string} [platform] Where that program runs.
 * @property {Record<string, string>} [files] What its home folder holds.
 */

/** @type {PublicServer[]} */
export const servers = [
  { name: '@21st-dev/magic', version: '0.2.3' },
  { name: '@browserstack/mcp-server', version: '1.4.2' },
  { name: '@falconer/mcp', version: '0.2.1' },
  { name: '@leanspec/mcp-linux-x64', version: '0.3.0', binary: 'leanspec-mcp', platform: 'linux-x64' },
  { name: '@mobilenext/mobile-mcp', version: '1.0.4' },
  { name: '@modelcontextprotocol/server-everything', version: '2026.8.31' },
  { name: '@modelcontextprotocol/server-filesystem', version: '2026.8.31', args: ['.'] },
  { name: '@modelcontextprotocol/server-memory', version: '2026.8.31' },
  { name: '@modelcontextprotocol/server-pdf', version: '2.0.4', args: ['--stdio'] },
  { name: '@modelcontextprotocol/server-postgres', version: '0.6.2', args: ['postgresql://127.0.0.1:1/none'] },
  { name: '@modelcontextprotocol/server-sequential-thinking', version: '2026.8.31' },
  { name: '@mui/mcp', version: '0.1.5' },
  { name: '@notionhq/notion-mcp-server', version: '2.5.2' },
  { name: '@playwright/mcp', version: '0.0.83' },
  { name: '@softeria/ms-365-mcp-server', version: '0.155.0' },
  {
    name: '@temporal-cortex/cortex-mcp-linux-x64',
    version: '0.9.1',
    binary: 'bin/cortex-mcp',
    platform: 'linux-x64',
  },
  { name: '@stripe/mcp', version: '0.3.3' },
  { name: '@supabase/mcp-server-supabase', version: '0.13.0' },
  { name: '@sveltejs/mcp', version: '0.1.26' },
  { name: '@twilio-alpha/mcp', version: '0.7.0' },
  { name: '@upstash/context7-mcp', version: '4.1.1' },
  { name: '0nmcp', version: '4.22.0' },
  { name: 'chrome-devtools-mcp', version: '1.11.0' },
  { name: 'effect-mcp', version: '0.1.16' },
  { name: 'hostinger-api-mcp', version: '1.63.2' },
  {
    name: 'kubernetes-mcp-server',
    version: '0.0.67',
    args: ['--kubeconfig', 'config.yaml'],
    files: { 'config.yaml': KUBECONFIG },
  },
  // Without its argument it starts a server on the network and says nothing here for ever.
  { name: 'lucide-icons-mcp', version: '0.1.67' },
  {
    name: 'mcp-cron-linux-amd64',
    version: '0.9.1',
    binary: 'bin/mcp-cron',
    platform: 'linux-x64',
    args: ['--transport', 'stdio'],
  },
  { name: 'nx-mcp', version: '0.25.0' },
  { name: 'tailwindcss-mcp-server', version: '0.1.1' },
];
