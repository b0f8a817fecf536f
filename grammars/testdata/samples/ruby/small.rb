class A < B
  def f(x, y: 1) = x.map { |z| "#{z}" }
  X = <<~EOS
    text
  EOS
end
