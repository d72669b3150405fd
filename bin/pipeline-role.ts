import { createApp } from '../lib/app.ts';
import { addPipelineRoles } from '../lib/pipeline-role-stack.ts';

addPipelineRoles(createApp());
