defmodule A do
  def f(x) when x > 1, do: {:ok, x |> g()}
end
