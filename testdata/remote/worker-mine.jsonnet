// In config/ there: that worker takes what asks for the image, eight tests at once.
local worker = import 'worker-hardlinking-ubuntu22-04.jsonnet';
worker {
  buildDirectories: [directory {
    runners: [runner {
      instanceNamePrefix: 'mine',
      concurrency: 8,
      platform: { properties: [{ name: 'container-image', value: 'docker://docker.io/library/gcc:13.2.0' }] },
      workerId+: { hostname: 'mine' },
    } for runner in directory.runners],
  } for directory in worker.buildDirectories],
}
