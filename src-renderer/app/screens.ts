import { afterZod, later } from './later';

const READING = 'The page is being read.';

export const ToolRunner = later(READING, () => afterZod(async () => (await import('../tools/ToolRunner')).ToolRunner));
export const ServersPage = later(READING, () => afterZod(async () => (await import('../servers/ServersPage')).ServersPage));
export const AddServerPage = later(READING, () => afterZod(async () => (await import('../servers/AddServerPage')).AddServerPage));
export const ImportPage = later(READING, () => afterZod(async () => (await import('../servers/ImportPage')).ImportPage));
export const ServerPage = later(READING, () => afterZod(async () => (await import('../servers/ServerPage')).ServerPage));
export const ModelsPage = later(READING, () => afterZod(async () => (await import('../models/ModelsPage')).ModelsPage));
export const GrantsPage = later(READING, () => afterZod(async () => (await import('../grants/GrantsPage')).GrantsPage));
export const PrivacyPage = later(READING, () => afterZod(async () => (await import('../privacy/PrivacyPage')).PrivacyPage));
export const Transcript = later('The chat is being read.', () => import('../chat/Transcript').then((part) => part.Transcript));

// A sheet brings its own frame, so nothing stands in its place while it is read.
export const LaunchSheet = later(null, () => afterZod(async () => (await import('../approvals/LaunchSheet')).LaunchSheet));
export const ToolSheet = later(null, () => afterZod(async () => (await import('../approvals/ToolSheet')).ToolSheet));
export const QuestionSheet = later(null, () => afterZod(async () => (await import('../approvals/QuestionSheet')).QuestionSheet));
export const TrustWorkspace = later(null, () => afterZod(async () => (await import('../servers/TrustWorkspace')).TrustWorkspace));
export const SignInSheet = later(null, () => afterZod(async () => (await import('../approvals/SignInSheet')).SignInSheet));
