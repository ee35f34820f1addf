export async function measureHttpEcho() { throw new Error('not yet'); }
export async function measureStdioEcho() { throw new Error('not yet'); }
