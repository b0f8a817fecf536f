{
  description = "whittle shrinks a file while it shows the same failure";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  outputs = { self, nixpkgs }:
    let
      release = "@URL@/releases/download/v@VERSION@";
      sums = {
        x86_64-linux = { target = "linux-amd64"; sha256 = "@linux-amd64@"; };
        aarch64-linux = { target = "linux-arm64"; sha256 = "@linux-arm64@"; };
        x86_64-darwin = { target = "darwin-amd64"; sha256 = "@darwin-amd64@"; };
        aarch64-darwin = { target = "darwin-arm64"; sha256 = "@darwin-arm64@"; };
      };
      package = system: { target, sha256 }:
        let pkgs = nixpkgs.legacyPackages.${system};
        in pkgs.stdenvNoCC.mkDerivation {
          pname = "whittle";
          version = "@VERSION@";
          src = pkgs.fetchurl {
            url = "${release}/whittle-@VERSION@-${target}.tar.gz";
            inherit sha256;
          };
          nativeBuildInputs = [ pkgs.installShellFiles ];
          installPhase = ''
            install -D whittle $out/bin/whittle
            installManPage man/*.1
            installShellCompletion completions/whittle.bash completions/_whittle completions/whittle.fish
          '';
          meta = { license = pkgs.lib.licenses.mit; mainProgram = "whittle"; };
        };
    in {
      packages = builtins.mapAttrs (system: release: { default = package system release; }) sums;
    };
}
