/** Any for our emulators; those of the environment for one that has users, at `DDB_AT` or `SQS_AT`. */
export const testCredentials = () => {
  const { AWS_ACCESS_KEY_ID = 'local', AWS_SECRET_ACCESS_KEY = 'local' } = process.env;
  return { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
};
