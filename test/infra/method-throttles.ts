import type { Properties, SynthesisedStage } from './template.ts';

export interface MethodThrottle {
  readonly rate: number;
  readonly burst: number;
}

/** The throttle of a method of a path, as the gateway finds it. */
export const throttlesOf = (stage: SynthesisedStage) => {
  const [deployed] = stage.all('AWS::ApiGateway::Stage');
  const settings = deployed?.properties.MethodSettings as Properties[];
  const settingOf = (method: string, path: string) =>
    settings.find(({ HttpMethod, ResourcePath }) => HttpMethod === method && ResourcePath === path);
  return (method: string, path: string): MethodThrottle => {
    const encoded = path === '/' ? path : `/${path.replaceAll('/', '~1')}`;
    const found = settingOf(method, encoded) ?? settingOf('*', '/*');
    return {
      rate: Number(found?.ThrottlingRateLimit),
      burst: Number(found?.ThrottlingBurstLimit),
    };
  };
};
