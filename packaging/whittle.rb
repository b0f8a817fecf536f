class Whittle < Formula
  desc "Shrink a file while it shows the same failure"
  homepage "@URL@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@URL@/releases/download/v@VERSION@/whittle-@VERSION@-darwin-arm64.tar.gz"
      sha256 "@darwin-arm64@"
    end
    on_intel do
      url "@URL@/releases/download/v@VERSION@/whittle-@VERSION@-darwin-amd64.tar.gz"
      sha256 "@darwin-amd64@"
    end
  end
  on_linux do
    on_arm do
      url "@URL@/releases/download/v@VERSION@/whittle-@VERSION@-linux-arm64.tar.gz"
      sha256 "@linux-arm64@"
    end
    on_intel do
      url "@URL@/releases/download/v@VERSION@/whittle-@VERSION@-linux-amd64.tar.gz"
      sha256 "@linux-amd64@"
    end
  end

  def install
    bin.install "whittle"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/whittle.bash" => "whittle"
    zsh_completion.install "completions/_whittle"
    fish_completion.install "completions/whittle.fish"
  end

  test do
    (testpath/"a.txt").write "one two\nthree bug four\n"
    system bin/"whittle", "a.txt", "--", "grep", "-q", "bug"
    assert_equal "bug", (testpath/"a.reduced.txt").read.strip
  end
end
