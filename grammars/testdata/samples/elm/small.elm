module A exposing (..)

f x =
    case x of
        1 ->
            "a"

        _ ->
            "b"
