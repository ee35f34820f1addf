export async function measureElectronStart() { throw new Error('not yet'); }
