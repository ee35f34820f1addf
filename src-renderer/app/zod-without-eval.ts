import { z } from 'zod';

// Before any schema is made: zod probes `new Function` at that moment, and the content policy of the window forbids it.
z.config({ jitless: true });
