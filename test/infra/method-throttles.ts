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

export interface Method extends MethodThrottle {
  /** Its function. */
  readonly behind: string;
  readonly name: string;
}

/** The methods that call a function, with their throttles. */
export const methodsOf = (stage: SynthesisedStage): readonly Method[] => {
  const throttleOf = throttlesOf(stage);
  const resources = new Map(
    stage
      .all('AWS::ApiGateway::Resource')
      .map(({ logicalId, properties }) => [logicalId, properties]),
  );
  const pathOf = (id: string): string => {
    const { ParentId, PathPart } = resources.get(id) ?? {};
    return PathPart === undefined
      ? ''
      : `${pathOf(String((ParentId as Properties).Ref ?? ''))}/${PathPart}`;
  };
  return stage
    .all('AWS::ApiGateway::Method')
    .flatMap(({ properties: { HttpMethod, ResourceId, Integration } }) => {
      const { Uri } = Integration as Properties;
      if (Uri === undefined) return [];
      const path = pathOf(String((ResourceId as Properties).Ref ?? '')) || '/';
      const behind = stage.called(Uri).path.split('/')[0] ?? '';
      return [{ behind, name: `${HttpMethod} ${path}`, ...throttleOf(String(HttpMethod), path) }];
    });
};
